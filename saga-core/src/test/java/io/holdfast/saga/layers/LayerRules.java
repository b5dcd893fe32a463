package io.holdfast.saga.layers;

import static com.tngtech.archunit.core.domain.JavaModifier.PROTECTED;
import static com.tngtech.archunit.core.domain.JavaModifier.PUBLIC;
import static com.tngtech.archunit.lang.SimpleConditionEvent.violated;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static java.util.stream.Collectors.toSet;
import static java.util.stream.Stream.concat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import java.io.ObjectInputStream;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Stream;

/** The rules between the layers; each module's LayerRulesTest says which of them hold there. */
public final class LayerRules {

    /** Users see API and SPI; what is internal may change on any day, so the API must not show it. */
    public static final ArchRule THE_API_SHOWS_NOTHING_INTERNAL = classes()
            .that()
            .resideOutsideOfPackage("..internal..")
            .and()
            .arePublic()
            .should(showNothingInternal());

    public static final ArchRule NOTHING_INTERNAL_IS_USED =
            noClasses().should().dependOnClassesThat().resideInAPackage("io.holdfast..internal..");

    /** Time comes from one injected clock, or from the database; else no test could turn it. */
    public static final ArchRule ONLY_CLOCKS_ASK_THE_SYSTEM_FOR_THE_TIME =
            noClasses().that().haveSimpleNameNotContaining("Clock").should().callMethodWhere(asksTheSystemForTheTime());

    /** Deserialising Java objects runs code that whoever wrote the bytes has chosen. */
    public static final ArchRule NOBODY_DESERIALISES_JAVA_OBJECTS =
            noClasses().should().dependOnClassesThat().areAssignableTo(ObjectInputStream.class);

    private LayerRules() {}

    /** The classes of main code below a package. */
    public static JavaClasses mainClassesIn(String rootPackage) {
        ImportOption noTests = location -> !location.contains("/test-classes/");
        return new ClassFileImporter().withImportOption(noTests).importPackages(rootPackage);
    }

    private static DescribedPredicate<JavaMethodCall> asksTheSystemForTheTime() {
        return DescribedPredicate.describe("it asks the system for the time", call -> {
            var owner = call.getTargetOwner();
            var takesNothing = call.getTarget().getRawParameterTypes().isEmpty();
            return (owner.isEquivalentTo(System.class) && call.getName().equals("currentTimeMillis"))
                    || (owner.getPackageName().equals("java.time")
                            && call.getName().equals("now")
                            && takesNothing);
        });
    }

    private static ArchCondition<JavaClass> showNothingInternal() {
        return new ArchCondition<>("show nothing internal") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                report(type, type.getDescription() + " extends or implements", supertypes(type), events);
                for (var member : type.getMembers()) {
                    if (member.getModifiers().contains(PUBLIC)
                            || member.getModifiers().contains(PROTECTED)) {
                        report(type, member.getDescription() + " shows", types(member), events);
                    }
                }
            }
        };
    }

    private static void report(JavaClass type, String what, Stream<JavaType> shown, ConditionEvents events) {
        for (var internal : internalsAmong(shown)) {
            events.add(violated(type, what + " the internal " + internal.getName()));
        }
    }

    private static Set<JavaClass> internalsAmong(Stream<JavaType> types) {
        return types.map(JavaType::getAllInvolvedRawTypes)
                .flatMap(Collection::stream)
                .filter(type -> type.getPackageName().matches("io\\.holdfast\\..*\\binternal\\b.*"))
                .collect(toSet());
    }

    private static Stream<JavaType> supertypes(JavaClass type) {
        return concat(
                concat(type.getSuperclass().stream(), type.getInterfaces().stream()),
                type.getTypeParameters().stream());
    }

    private static Stream<JavaType> types(JavaMember member) {
        if (member instanceof JavaField field) {
            return Stream.of(field.getType());
        }
        var code = (JavaCodeUnit) member;
        var signature = concat(Stream.of(code.getReturnType()), code.getParameterTypes().stream());
        return concat(concat(signature, code.getTypeParameters().stream()), code.getExceptionTypes().stream());
    }
}
