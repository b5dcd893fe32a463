package io.holdfast.saga.jdbc.internal.table;

import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Types;
import org.jooq.Binding;
import org.jooq.BindingGetResultSetContext;
import org.jooq.BindingGetSQLInputContext;
import org.jooq.BindingGetStatementContext;
import org.jooq.BindingRegisterContext;
import org.jooq.BindingSQLContext;
import org.jooq.BindingSetSQLOutputContext;
import org.jooq.BindingSetStatementContext;
import org.jooq.Converter;
import org.jooq.DataType;
import org.jooq.conf.ParamType;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * Binds text without saying its type, as a quoted literal has none: the server takes the type of the column beside it, be it
 * bigint, uuid, an enum of some schema or a domain. A bind value declared as varchar is refused there (42883).
 */
public final class Untyped implements Binding<Object, String> {
    private static final long serialVersionUID = 1L;

    /** The type of columns whose type only the database knows. */
    public static final DataType<String> TYPE = SQLDataType.OTHER.asConvertedDataType(new Untyped());

    private Untyped() {}

    @Override
    public Converter<Object, String> converter() {
        return Converter.ofNullable(Object.class, String.class, Object::toString, text -> text);
    }

    @Override
    public void sql(BindingSQLContext<String> ctx) {
        if (ctx.render().paramType() == ParamType.INLINED) {
            ctx.render().visit(DSL.inline(ctx.value(), SQLDataType.VARCHAR)); // for SQL that is printed
        } else {
            ctx.render().sql(ctx.variable());
        }
    }

    @Override
    public void set(BindingSetStatementContext<String> ctx) throws SQLException {
        if (ctx.value() == null) {
            ctx.statement().setNull(ctx.index(), Types.OTHER);
        } else {
            ctx.statement().setObject(ctx.index(), ctx.value(), Types.OTHER);
        }
    }

    @Override
    public void get(BindingGetResultSetContext<String> ctx) throws SQLException {
        ctx.value(ctx.resultSet().getString(ctx.index()));
    }

    @Override
    public void get(BindingGetStatementContext<String> ctx) throws SQLException {
        throw new SQLFeatureNotSupportedException("no callable statements here");
    }

    @Override
    public void get(BindingGetSQLInputContext<String> ctx) throws SQLException {
        throw new SQLFeatureNotSupportedException("no structured types here");
    }

    @Override
    public void set(BindingSetSQLOutputContext<String> ctx) throws SQLException {
        throw new SQLFeatureNotSupportedException("no structured types here");
    }

    @Override
    public void register(BindingRegisterContext<String> ctx) throws SQLException {
        throw new SQLFeatureNotSupportedException("no callable statements here");
    }
}
