package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.SagaStoreException;
import io.holdfast.saga.spi.ClaimOrder;
import io.holdfast.saga.spi.Claimed;
import io.holdfast.saga.spi.DefinitionRef;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Types by turns: each definition gets its share first, and what some do not need is given to those that had more due. One
 * round is enough unless the work is unevenly spread.
 */
final class ClaimRounds {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimRounds.class);

    private final Connections connections;
    private final SagaClaims claims;

    ClaimRounds(Connections connections, SagaClaims claims) {
        this.connections = connections;
        this.claims = claims;
    }

    List<Claimed> claimDue(ClaimOrder order) {
        List<Claimed> all = new ArrayList<>();
        List<DefinitionRef> hungry = order.definitions();
        while (all.size() < order.atMost() && !hungry.isEmpty()) {
            int left = order.atMost() - all.size();
            int share = (left + hungry.size() - 1) / hungry.size();
            List<Claimed> round =
                    round(new ClaimOrder(order.owner(), order.lease(), hungry, left), share, all.isEmpty());
            all.addAll(round);
            hungry = hungry.stream()
                    .filter(definition -> count(round, definition) >= share)
                    .toList();
        }
        return all;
    }

    private List<Claimed> round(ClaimOrder order, int share, boolean first) {
        try {
            return connections.change("claim of due sagas", c -> claims.claimDue(c, order, share));
        } catch (SagaStoreException e) {
            if (first) {
                throw e;
            }
            // what the rounds before have claimed is this node's, and must be driven
            LOG.warn("a further round of the claim failed, what was claimed before is driven", e);
            return List.of();
        }
    }

    private static long count(List<Claimed> round, DefinitionRef definition) {
        return round.stream()
                .filter(claimed -> claimed.saga().origin().definition().equals(definition))
                .count();
    }
}
