// Written by `npm run web:types` from openapi/v3.json.
export interface paths {
    "/api/v3/__testMethod": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Echo parsed values
         * @description Returns the normal forms of the values given, so that a client can check its encoding.
         */
        get: operations["__testMethod_get"];
        put?: never;
        /**
         * Echo parsed values
         * @description Returns the normal forms of the values given, so that a client can check its encoding.
         */
        post: operations["__testMethod_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get balance, code and data of an account
         * @deprecated
         * @description An unknown account is returned as an empty one.
         */
        get: operations["account_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/accountStates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Account states
         * @description The latest state of each account, ordered by address. Unknown accounts are left out.
         */
        get: operations["accountStates_get"];
        put?: never;
        /**
         * Account states
         * @description The latest state of each account, ordered by address. Unknown accounts are left out.
         */
        post: operations["accountStates_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Actions
         * @description What happened in traces: transfers, swaps, stakes and so on. Ordered by the last logical time of their trace, or by its end time if a time bound is given. Actions are listed once their trace is complete and classified. An action must match all filters.
         */
        get: operations["actions_get"];
        put?: never;
        /**
         * Actions
         * @description What happened in traces: transfers, swaps, stakes and so on. Ordered by the last logical time of their trace, or by its end time if a time bound is given. Actions are listed once their trace is complete and classified. An action must match all filters.
         */
        post: operations["actions_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/addressBook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Address book
         * @description Entries are keyed by the address as given; a malformed address has an entry of nulls.
         */
        get: operations["addressBook_get"];
        put?: never;
        /**
         * Address book
         * @description Entries are keyed by the address as given; a malformed address has an entry of nulls.
         */
        post: operations["addressBook_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/addressInformation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get balance, code and data of an account
         * @description An unknown account is returned as an empty one.
         */
        get: operations["addressInformation_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/adjacentTransactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Adjacent transactions
         * @description The transaction that sent the in message of the given one, and those that received its out messages, ordered by logical time.
         */
        get: operations["adjacentTransactions_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/balanceChanges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Balance changes
         * @description Balance changes of a trace or an action: nanotons by account, after fees, and jettons by owner. For an action only its own transactions count, and the first one of the trace if it started the action.
         */
        get: operations["balanceChanges_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/blocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Blocks
         * @description Ordered by time, workchain, shard and seqno.
         */
        get: operations["blocks_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/decode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Decode opcodes and message bodies
         * @description Returns one name per opcode and one decoded body per body, in the order given. Repeat the parameter for lists; use POST for long ones.
         */
        get: operations["decode_get"];
        put?: never;
        /**
         * Decode opcodes and message bodies
         * @description Returns one name per opcode and one decoded body per body, in the order given. Repeat the parameter for lists; use POST for long ones.
         */
        post: operations["decode_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/dns/activeAuctions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Auctions of domains by highest bidder
         * @description Auctions of .ton domains in which an account is the highest bidder now, the one that ends first comes first. One that has ended is listed until it is claimed. Ended means: at the time of the newest indexed masterchain block.
         */
        get: operations["dnsActiveAuctions_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/dns/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * DNS records
         * @description Domains of .ton and .t.me with their records, shortest domain first.
         */
        get: operations["dnsRecords_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/estimateFee": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Estimate the fees of an external message
         * @description Runs the contract on the message at the newest block. `gas_fee` and `fwd_fee` are 0 if the contract does not accept the message. Fees of the receivers of its messages are not estimated.
         */
        post: operations["estimateFee_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Traces with actions (older name)
         * @description Use `traces` with `include_actions` instead.
         */
        get: operations["events_get"];
        put?: never;
        /**
         * Traces with actions (older name)
         * @description Use `traces` with `include_actions` instead.
         */
        post: operations["events_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/jetton/burns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Jetton burns
         * @description Burn requests to jetton wallets, newest first, including aborted ones.
         */
        get: operations["jettonBurns_get"];
        put?: never;
        /**
         * Jetton burns
         * @description Burn requests to jetton wallets, newest first, including aborted ones.
         */
        post: operations["jettonBurns_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/jetton/masters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Jetton masters
         * @description Ordered by when they were indexed, or by address if addresses are given.
         */
        get: operations["jettonMasters_get"];
        put?: never;
        /**
         * Jetton masters
         * @description Ordered by when they were indexed, or by address if addresses are given.
         */
        post: operations["jettonMasters_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/jetton/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Jetton transfers
         * @description Transfer requests to jetton wallets, newest first. Aborted requests are left out; whether the receiving wallet accepted the jettons is not checked.
         */
        get: operations["jettonTransfers_get"];
        put?: never;
        /**
         * Jetton transfers
         * @description Transfer requests to jetton wallets, newest first. Aborted requests are left out; whether the receiving wallet accepted the jettons is not checked.
         */
        post: operations["jettonTransfers_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/jetton/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Jetton wallets
         * @description With several owners and not exactly one jetton, ordered by owner first; then by when they were indexed, or by balance with `sort`.
         */
        get: operations["jettonWallets_get"];
        put?: never;
        /**
         * Jetton wallets
         * @description With several owners and not exactly one jetton, ordered by owner first; then by when they were indexed, or by balance with `sort`.
         */
        post: operations["jettonWallets_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/masterchainBlockShards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Blocks committed by a masterchain block
         * @description The masterchain block and the shard blocks that are new since the previous one, ordered by time, workchain, shard and seqno.
         */
        get: operations["masterchainBlockShards_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/masterchainBlockShardState": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shard state of a masterchain block
         * @description The masterchain block and the newest block of every shard in its state, ordered by workchain and shard. Blocks older than the index are missing.
         */
        get: operations["masterchainBlockShardState_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/masterchainInfo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * First and last masterchain block
         * @description The ends of the index. Blocks between them may not be indexed yet.
         */
        get: operations["masterchainInfo_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/message": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an external message and get its hashes
         * @description Returns as soon as one lite server accepted the message. `message_hash_norm` is the hash of its normal form (TEP-467), which does not depend on how the message is serialised.
         */
        post: operations["message_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Messages
         * @description Ordered by logical time of creation, or by time if a time bound is given, then by hash. External messages are placed where they were received; they have no creation time, so time and lt bounds exclude them.
         */
        get: operations["messages_get"];
        put?: never;
        /**
         * Messages
         * @description Ordered by logical time of creation, or by time if a time bound is given, then by hash. External messages are placed where they were received; they have no creation time, so time and lt bounds exclude them.
         */
        post: operations["messages_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Token metadata
         * @description Entries are keyed by raw address. Addresses that are not tokens have no entry; jetton wallets add an entry for their jetton.
         */
        get: operations["metadata_get"];
        put?: never;
        /**
         * Token metadata
         * @description Entries are keyed by raw address. Addresses that are not tokens have no entry; jetton wallets add an entry for their jetton.
         */
        post: operations["metadata_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/multisig/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Multisig orders
         * @description Ordered by when they were indexed, the newest first.
         */
        get: operations["multisigOrders_get"];
        put?: never;
        /**
         * Multisig orders
         * @description Ordered by when they were indexed, the newest first.
         */
        post: operations["multisigOrders_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/multisig/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Multisig wallets
         * @description Ordered by when they were indexed, the newest first.
         */
        get: operations["multisigWallets_get"];
        put?: never;
        /**
         * Multisig wallets
         * @description Ordered by when they were indexed, the newest first.
         */
        post: operations["multisigWallets_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/nft/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * NFT collections
         * @description Ordered by when they were indexed, or by address if they are filtered.
         */
        get: operations["nftCollections_get"];
        put?: never;
        /**
         * NFT collections
         * @description Ordered by when they were indexed, or by address if they are filtered.
         */
        post: operations["nftCollections_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/nft/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * NFT items
         * @description Ordered by index for one collection; else by owner, collection and index if owners are given; else by address if addresses are given; else by when they were indexed.
         */
        get: operations["nftItems_get"];
        put?: never;
        /**
         * NFT items
         * @description Ordered by index for one collection; else by owner, collection and index if owners are given; else by address if addresses are given; else by when they were indexed.
         */
        post: operations["nftItems_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/nft/sales": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sales and auctions of NFTs
         * @description Fixed-price sales first, then auctions, then Telegram items (Telemint), each by address.
         */
        get: operations["nftSales_get"];
        put?: never;
        /**
         * Sales and auctions of NFTs
         * @description Fixed-price sales first, then auctions, then Telegram items (Telemint), each by address.
         */
        post: operations["nftSales_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/nft/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * NFT transfers
         * @description Transfer requests to NFT items, newest first, including aborted ones.
         */
        get: operations["nftTransfers_get"];
        put?: never;
        /**
         * NFT transfers
         * @description Transfer requests to NFT items, newest first, including aborted ones.
         */
        post: operations["nftTransfers_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/pendingActions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Pending actions
         * @description Actions of traces that are not complete yet. Ordered by the last logical time of their trace, the latest first, then by their own. At most 1000; with `include_transactions`, those of traces with up to 1000 transactions in total.
         */
        get: operations["pendingActions_get"];
        put?: never;
        /**
         * Pending actions
         * @description Actions of traces that are not complete yet. Ordered by the last logical time of their trace, the latest first, then by their own. At most 1000; with `include_transactions`, those of traces with up to 1000 transactions in total.
         */
        post: operations["pendingActions_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/pendingTraces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Pending traces
         * @description Traces that are not complete yet: transactions that have happened, and those predicted by emulation. Traces of newer messages first, up to 1000 transactions in total.
         */
        get: operations["pendingTraces_get"];
        put?: never;
        /**
         * Pending traces
         * @description Traces that are not complete yet: transactions that have happened, and those predicted by emulation. Traces of newer messages first, up to 1000 transactions in total.
         */
        post: operations["pendingTraces_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/pendingTransactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Pending transactions
         * @description Transactions that are not in a block yet, predicted by emulating sent messages. At most 1000, those of newer messages first, otherwise in no order.
         */
        get: operations["pendingTransactions_get"];
        put?: never;
        /**
         * Pending transactions
         * @description Transactions that are not in a block yet, predicted by emulating sent messages. At most 1000, those of newer messages first, otherwise in no order.
         */
        post: operations["pendingTransactions_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/runGetMethod": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a get-method
         * @description Runs on the newest state of the lite servers, which may be newer than the index. The gas limit is 4 000 000. A failed run is returned with its `exit_code`.
         */
        post: operations["runGetMethod_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/staking/nominatorPools/nominator": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Pools of a nominator
         * @description What all nominator pools keep for an account now, by address of the pool. Amounts are nanotons.
         */
        get: operations["stakingNominatorPoolsNominator_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/staking/nominatorPools/nominatorEvents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events of nominators
         * @description What happened to the nominators of a pool, newest first: rewards, deposits, withdrawals. A transaction may have several events, each begins where the one before ends. Amounts are nanotons.
         */
        get: operations["stakingNominatorPoolsNominatorEvents_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/staking/nominatorPools/nominatorRewards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rewards of a nominator
         * @description What a nominator earned in a pool, newest first; a reward is negative if the stake lost. Amounts are nanotons.
         */
        get: operations["stakingNominatorPoolsNominatorRewards_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/staking/nominatorPools/pool": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Nominator pool
         * @description A nominator pool as it is now, with all its nominators. Amounts are nanotons.
         */
        get: operations["stakingNominatorPoolsPool_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/staking/nominatorPools/validatorEvents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events of validators of pools
         * @description What happened to the part of the validator in nominator pools, newest first: rewards, penalties, deposits, withdrawals. Amounts are nanotons.
         */
        get: operations["stakingNominatorPoolsValidatorEvents_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/staking/nominatorPools/validatorRewards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rewards of the validator of a pool
         * @description What a validator earned in a nominator pool, newest first, without penalties. Amounts are nanotons.
         */
        get: operations["stakingNominatorPoolsValidatorRewards_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/topAccountsByBalance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Top accounts by balance
         * @description Highest balance first; accounts with the same balance by address.
         */
        get: operations["topAccountsByBalance_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/traces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Traces
         * @description Ordered by their last logical time, or by end time if a time bound is given, then by id. A trace is listed once all its messages have arrived.
         */
        get: operations["traces_get"];
        put?: never;
        /**
         * Traces
         * @description Ordered by their last logical time, or by end time if a time bound is given, then by id. A trace is listed once all its messages have arrived.
         */
        post: operations["traces_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Transactions
         * @description Ordered by logical time, then by account. With a time bound by time first; with hashes by hash as it is shown, and `offset` has no effect; with `lt` by account. Filters on messages (`msg_hash`, `source`, `destination`, `body_hash`, `opcode`, `direction`) hold for one and the same message that the transaction received or sent. With them each transaction is listed once, in the same order if there are hashes, a block or `lt`, otherwise by the logical time of its first such message; messages that took more than a day to arrive may be missing with time or lt bounds.
         */
        get: operations["transactions_get"];
        put?: never;
        /**
         * Transactions
         * @description Ordered by logical time, then by account. With a time bound by time first; with hashes by hash as it is shown, and `offset` has no effect; with `lt` by account. Filters on messages (`msg_hash`, `source`, `destination`, `body_hash`, `opcode`, `direction`) hold for one and the same message that the transaction received or sent. With them each transaction is listed once, in the same order if there are hashes, a block or `lt`, otherwise by the logical time of its first such message; messages that took more than a day to arrive may be missing with time or lt bounds.
         */
        post: operations["transactions_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/transactionsByMasterchainBlock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Transactions of a masterchain block
         * @description Transactions of the masterchain block and of the shard blocks that are new since the previous one, ordered by logical time, then by account.
         */
        get: operations["transactionsByMasterchainBlock_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/transactionsByMessage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Transactions by message
         * @description Transactions by the messages that they received or sent, each once: `transactions` with at least one of `msg_hash`, `body_hash` and `opcode`. Without `direction`, `opcode` is that of a received message.
         */
        get: operations["transactionsByMessage_get"];
        put?: never;
        /**
         * Transactions by message
         * @description Transactions by the messages that they received or sent, each once: `transactions` with at least one of `msg_hash`, `body_hash` and `opcode`. Without `direction`, `opcode` is that of a received message.
         */
        post: operations["transactionsByMessage_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/validators/complaints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Complaints about validators
         * @description Complaints in the elector and the votes for them, ordered by the time at which they were made.
         */
        get: operations["validatorsComplaints_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/validators/cycles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Validator sets
         * @description Validator sets with the rules of their elections, ordered by start. A set is known from the first key block that has it. Stakes are known if the elector was seen with the election, stake holders if candidates were.
         */
        get: operations["validatorsCycles_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/validators/elections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Elections of validators
         * @description Elections as the elector last showed them, ordered by id, which is the time at which the elected set starts. Candidates stay listed when the elector has forgotten the election.
         */
        get: operations["validatorsElections_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/validators/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stakes of validators: accepted, rejected and recovered
         * @description Stakes that the elector accepted, rejected or returned, ordered by time.
         */
        get: operations["validatorsEvents_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/vesting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Vesting contracts
         * @description Ordered by when they were indexed.
         */
        get: operations["vesting_get"];
        put?: never;
        /**
         * Vesting contracts
         * @description Ordered by when they were indexed.
         */
        post: operations["vesting_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get type, seqno and id of a wallet
         * @deprecated
         * @description Knows wallets v1 to v5. An unknown account is returned as an empty one without the wallet members.
         */
        get: operations["wallet_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/walletInformation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get type, seqno and id of a wallet
         * @description Knows wallets v1 to v5. An unknown account is returned as an empty one without the wallet members.
         */
        get: operations["walletInformation_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/walletStates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Wallet states
         * @description Wallets v1 to v5 are recognised by their code; other accounts have `is_wallet` false. Unknown accounts are left out.
         */
        get: operations["walletStates_get"];
        put?: never;
        /**
         * Wallet states
         * @description Wallets v1 to v5 are recognised by their code; other accounts have `is_wallet` false. Unknown accounts are left out.
         */
        post: operations["walletStates_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        __testMethodRequest: {
            /** @description Addresses: raw or friendly. */
            my_addr?: string[];
            /** @description Hashes: hex, 0x hex, base64 or base64url. */
            my_hash?: string[];
            /** @description Shards: hex or signed decimal. */
            my_shard?: string[];
        };
        AccountBalance: {
            account: string;
            /** @description Nanotons. */
            balance: string;
        };
        AccountState: {
            account_status: components["schemas"]["AccountStatus"] | null;
            balance: string | null;
            code_hash: string | null;
            data_hash: string | null;
            extra_currencies: {
                [key: string]: string;
            } | null;
            frozen_hash: string | null;
            hash: string;
        };
        AccountStateFull: {
            account_state_hash: string;
            address: string;
            /** @description Nanotons. */
            balance: string;
            /** @description Also absent if the index does not have it yet. */
            code_boc?: string;
            code_hash?: string;
            /** @description Get-method ids; null if unknown. */
            contract_methods: number[] | null;
            /** @description Also absent if the index does not have it yet. */
            data_boc?: string;
            data_hash?: string;
            extra_currencies: {
                [key: string]: string;
            };
            /** @description Hash of the state that a frozen account had. */
            frozen_hash?: string;
            /** @description Interfaces of the contract, by its code. */
            interfaces: string[] | null;
            last_transaction_hash: string;
            last_transaction_lt: string;
            status: components["schemas"]["AccountStatus"];
        };
        AccountStatesRequest: {
            /** @description Account addresses. */
            address: string[];
            /** @description Only accounts with one of these code hashes. */
            code_hash?: string[];
            /** @description Include code and data. Default: `true`. */
            include_boc?: boolean;
        };
        AccountStatesResponse: {
            accounts: components["schemas"]["AccountStateFull"][];
            address_book: components["schemas"]["AddressBook"];
            metadata: components["schemas"]["Metadata"];
        };
        /** @enum {string} */
        AccountStatus: "uninit" | "frozen" | "active" | "nonexist";
        Action: components["schemas"]["CallContractAction"] | components["schemas"]["ContractDeployAction"] | components["schemas"]["TonTransferAction"] | components["schemas"]["TickTockAction"] | components["schemas"]["ChangeDnsAction"] | components["schemas"]["DeleteDnsAction"] | components["schemas"]["RenewDnsAction"] | components["schemas"]["ElectionDepositAction"] | components["schemas"]["ElectionRecoverAction"] | components["schemas"]["SubscribeAction"] | components["schemas"]["UnsubscribeAction"] | components["schemas"]["MultisigCreateOrderAction"] | components["schemas"]["MultisigApproveAction"] | components["schemas"]["MultisigExecuteAction"] | components["schemas"]["VestingSendMessageAction"] | components["schemas"]["VestingAddWhitelistAction"] | components["schemas"]["JettonTransferAction"] | components["schemas"]["JettonMintAction"] | components["schemas"]["JettonBurnAction"] | components["schemas"]["JettonSwapAction"] | components["schemas"]["DexDepositLiquidityAction"] | components["schemas"]["DexWithdrawLiquidityAction"] | components["schemas"]["StakeDepositAction"] | components["schemas"]["StakeWithdrawalAction"] | components["schemas"]["StakeWithdrawalRequestAction"] | components["schemas"]["NftMintAction"] | components["schemas"]["NftTransferAction"] | components["schemas"]["NftPurchaseAction"] | components["schemas"]["NftDiscoveryAction"] | components["schemas"]["DnsPurchaseAction"] | components["schemas"]["DnsReleaseAction"] | components["schemas"]["NftPutOnSaleAction"] | components["schemas"]["NftPutOnAuctionAction"] | components["schemas"]["TeleitemStartAuctionAction"] | components["schemas"]["NftCancelSaleAction"] | components["schemas"]["NftCancelAuctionAction"] | components["schemas"]["TeleitemCancelAuctionAction"] | components["schemas"]["NftFinishAuctionAction"] | components["schemas"]["NftUpdateSaleAction"] | components["schemas"]["AuctionBidAction"] | components["schemas"]["AuctionOutbidAction"] | components["schemas"]["EvaaSupplyAction"] | components["schemas"]["EvaaWithdrawAction"] | components["schemas"]["EvaaLiquidateAction"] | components["schemas"]["JvaultClaimAction"] | components["schemas"]["JvaultStakeAction"] | components["schemas"]["JvaultUnstakeAction"] | components["schemas"]["JvaultUnstakeRequestAction"] | components["schemas"]["TgbtcMintAction"] | components["schemas"]["TgbtcMintFallbackAction"] | components["schemas"]["TgbtcBurnAction"] | components["schemas"]["TgbtcBurnFallbackAction"] | components["schemas"]["TgbtcNewKeyAction"] | components["schemas"]["TgbtcNewKeyFallbackAction"] | components["schemas"]["TgbtcDkgLogFallbackAction"] | components["schemas"]["DedustV2ClaimFeesAction"] | components["schemas"]["DedustV2ClaimRewardAction"] | components["schemas"]["ToncoDeployPoolAction"] | components["schemas"]["CoffeeCreateVaultAction"] | components["schemas"]["CoffeeCreatePoolAction"] | components["schemas"]["CoffeeCreatePoolCreatorAction"] | components["schemas"]["CoffeeMevProtectHoldFundsAction"] | components["schemas"]["CoffeeStakingDepositAction"] | components["schemas"]["CoffeeStakingWithdrawAction"] | components["schemas"]["CoffeeStakingClaimRewardsAction"] | components["schemas"]["LayerZeroSendAction"] | components["schemas"]["LayerZeroSendTokensAction"] | components["schemas"]["LayerZeroReceiveAction"] | components["schemas"]["LayerZeroCommitPacketAction"] | components["schemas"]["LayerZeroDvnVerifyAction"] | components["schemas"]["CocoonWorkerPayoutAction"] | components["schemas"]["CocoonProxyPayoutAction"] | components["schemas"]["CocoonProxyChargeAction"] | components["schemas"]["CocoonClientTopUpAction"] | components["schemas"]["CocoonRegisterProxyAction"] | components["schemas"]["CocoonUnregisterProxyAction"] | components["schemas"]["CocoonClientRegisterAction"] | components["schemas"]["CocoonClientChangeSecretHashAction"] | components["schemas"]["CocoonClientRequestRefundAction"] | components["schemas"]["CocoonGrantRefundAction"] | components["schemas"]["CocoonClientIncreaseStakeAction"] | components["schemas"]["CocoonClientWithdrawAction"] | components["schemas"]["ExtraCurrencyTransferAction"] | components["schemas"]["CoffeeMevProtectFailedSwapAction"] | components["schemas"]["UnknownAction"];
        /** @description What actions of all types have. */
        ActionBase: {
            /** @description With `include_accounts`, and in pending actions. */
            accounts?: string[];
            action_id: string;
            end_lt: string;
            end_utime: number;
            finality: components["schemas"]["FinalityState"];
            start_lt: string;
            start_utime: number;
            success: boolean;
            trace_end_lt: string;
            trace_end_utime: number;
            trace_external_hash?: string;
            trace_external_hash_norm?: string;
            /** @description Null while the first transaction of the trace is predicted. */
            trace_id: string | null;
            trace_mc_seqno_end: number;
            /** @description The transactions of the action, and the one that led to it. */
            transactions: string[];
            /** @description With `include_transactions`. */
            transactions_full?: components["schemas"]["Transaction"][];
        };
        ActionDetailsAuctionBid: {
            amount: string | null;
            auction: string | null;
            bidder: string | null;
            nft_collection: string | null;
            nft_item: string | null;
            nft_item_index: string | null;
        };
        ActionDetailsAuctionOutbid: {
            amount: string | null;
            auction_address: string | null;
            bidder: string | null;
            comment?: string;
            marketplace?: string;
            new_bidder: string | null;
            nft_collection: string | null;
            nft_item: string | null;
        };
        ActionDetailsCallContract: {
            destination?: string;
            extra_currencies: {
                [key: string]: string;
            };
            opcode?: string;
            source?: string;
            value?: string;
        };
        ActionDetailsChangeDns: {
            asset: string | null;
            key: string | null;
            nft_collection: string | null;
            source: string | null;
            value: components["schemas"]["ActionDetailsChangeDnsValue"];
        };
        ActionDetailsChangeDnsValue: {
            dns_adnl_address: string | null;
            dns_next_resolver_address: string | null;
            dns_smc_address: string | null;
            dns_storage_address: string | null;
            dns_text: string | null;
            flags: number | null;
            sum_type: string | null;
        };
        ActionDetailsCocoonClientChangeSecretHash: {
            destination: string | null;
            new_secret_hash: string | null;
            query_id: string | null;
            source: string | null;
        };
        ActionDetailsCocoonClientIncreaseStake: {
            amount: string | null;
            destination: string | null;
            new_stake: string | null;
            query_id: string | null;
            source: string | null;
        };
        ActionDetailsCocoonClientRegister: {
            destination: string | null;
            nonce: string | null;
            query_id: string | null;
            source: string | null;
        };
        ActionDetailsCocoonClientRequestRefund: {
            destination: string | null;
            query_id: string | null;
            source: string | null;
            via_wallet: boolean | null;
        };
        ActionDetailsCocoonClientTopUp: {
            amount: string | null;
            destination: string | null;
            query_id: string | null;
            source: string | null;
        };
        ActionDetailsCocoonClientWithdraw: {
            amount: string | null;
            destination: string | null;
            query_id: string | null;
            source: string | null;
            withdraw_amount: string | null;
        };
        ActionDetailsCocoonGrantRefund: {
            amount: string | null;
            destination: string | null;
            expected_address: string | null;
            new_tokens_used: string | null;
            query_id: string | null;
            source: string | null;
        };
        ActionDetailsCocoonProxyCharge: {
            destination: string | null;
            expected_address: string | null;
            new_tokens_used: string | null;
            query_id: string | null;
            source: string | null;
        };
        ActionDetailsCocoonProxyPayout: {
            destination: string | null;
            query_id: string | null;
            source: string | null;
        };
        ActionDetailsCocoonRegisterProxy: {
            destination: string | null;
            query_id: string | null;
        };
        ActionDetailsCocoonUnregisterProxy: {
            destination: string | null;
            query_id: string | null;
            seqno: number | null;
        };
        ActionDetailsCocoonWorkerPayout: {
            amount: string | null;
            destination: string | null;
            new_tokens: string | null;
            payout_type: string | null;
            query_id: string | null;
            source: string | null;
            worker_state: number | null;
            worker_tokens: string | null;
        };
        ActionDetailsCoffeeCreatePool: {
            amount: string | null;
            amount_1: string | null;
            amount_2: string | null;
            asset_1: string | null;
            asset_2: string | null;
            initiator_1: string | null;
            initiator_2: string | null;
            lp_tokens_minted: string | null;
            pool: string | null;
            pool_creator_contract: string | null;
            provided_asset: string | null;
            source: string | null;
            source_jetton_wallet: string | null;
        };
        ActionDetailsCoffeeCreatePoolCreator: {
            amount: string | null;
            asset_1: string | null;
            asset_2: string | null;
            deposit_recipient: string | null;
            pool_creator_contract: string | null;
            provided_asset: string | null;
            source: string | null;
            source_jetton_wallet: string | null;
        };
        ActionDetailsCoffeeCreateVault: {
            asset: string | null;
            source: string | null;
            value: string | null;
            vault: string | null;
        };
        ActionDetailsCoffeeMevProtectHoldFunds: {
            amount: string | null;
            asset: string | null;
            mev_contract: string | null;
            mev_contract_jetton_wallet: string | null;
            source: string | null;
            source_jetton_wallet: string | null;
        };
        ActionDetailsCoffeeStakingClaimRewards: {
            amount: string | null;
            asset: string | null;
            pool: string | null;
            pool_jetton_wallet: string | null;
            recipient: string | null;
            recipient_jetton_wallet: string | null;
        };
        ActionDetailsCoffeeStakingDeposit: {
            amount: string | null;
            asset: string | null;
            minted_item_address: string | null;
            minted_item_index: string | null;
            pool: string | null;
            pool_jetton_wallet: string | null;
            source: string | null;
            source_jetton_wallet: string | null;
        };
        ActionDetailsCoffeeStakingWithdraw: {
            amount: string | null;
            asset: string | null;
            nft_address: string | null;
            nft_index: string | null;
            points: string | null;
            pool: string | null;
            pool_jetton_wallet: string | null;
            source: string | null;
            source_jetton_wallet: string | null;
        };
        ActionDetailsContractDeploy: {
            destination?: string;
            opcode?: string;
            source?: string;
            value?: string;
        };
        ActionDetailsDedustV2ClaimFees: {
            amount_1: string | null;
            amount_2: string | null;
            /** @description Null for TON, and if nothing was paid. */
            asset_1: string | null;
            /** @description Null for TON, and if nothing was paid. */
            asset_2: string | null;
            dex: string | null;
            dex_jetton_wallet_1: string | null;
            dex_jetton_wallet_2: string | null;
            pool: string | null;
            position: string | null;
            source: string | null;
            user_jetton_wallet_1: string | null;
            user_jetton_wallet_2: string | null;
        };
        ActionDetailsDedustV2ClaimReward: {
            amount: string | null;
            /** @description Null for TON, and if nothing was paid. */
            asset: string | null;
            dex: string | null;
            dex_jetton_wallet: string | null;
            pool: string | null;
            position: string | null;
            source: string | null;
            user_jetton_wallet: string | null;
        };
        ActionDetailsDeleteDns: {
            asset: string | null;
            hash: string | null;
            nft_collection: string | null;
            source: string | null;
        };
        ActionDetailsDexDepositLiquidity: {
            amount_1: string | null;
            amount_2: string | null;
            asset_1: string | null;
            asset_2: string | null;
            /** @description The pool; for `dedust` and `dedust_v2` the deposit contract in front of it. */
            destination_liquidity: string | null;
            /** @description One of `stonfi`, `stonfi_v2`, `dedust`, `dedust_v2`, `tonco` and `coffee`. */
            dex: string | null;
            lp_tokens_minted: string | null;
            nft_address: string | null;
            nft_index: string | null;
            pool: string | null;
            source: string | null;
            target_amount_1: string | null;
            target_amount_2: string | null;
            target_asset_1: string | null;
            target_asset_2: string | null;
            tick_lower: string | null;
            tick_upper: string | null;
            user_jetton_wallet_1: string | null;
            user_jetton_wallet_2: string | null;
            vault_excesses: components["schemas"]["ActionDetailsLiquidityVaultExcess"][];
        };
        ActionDetailsDexWithdrawLiquidity: {
            amount_1: string | null;
            amount_2: string | null;
            asset_1: string | null;
            asset_2: string | null;
            burnt_nft_address: string | null;
            burnt_nft_index: string | null;
            destination_liquidity: string | null;
            /** @description One of `stonfi`, `stonfi_v2`, `dedust`, `dedust_v2`, `tonco` and `coffee`. */
            dex: string | null;
            is_refund: boolean | null;
            lp_tokens_burnt: string | null;
            pool: string | null;
            source: string | null;
            tick_lower: string | null;
            tick_upper: string | null;
            user_jetton_wallet_1: string | null;
            user_jetton_wallet_2: string | null;
        };
        ActionDetailsDkgLogFallback: {
            coordinator: string | null;
            pubkey: string | null;
            timestamp: string | null;
        };
        ActionDetailsDnsPurchase: {
            new_owner: string | null;
            nft_collection: string | null;
            nft_item: string | null;
            nft_item_index: string | null;
            payout_amount: string | null;
            price: string | null;
            query_id: string | null;
        };
        ActionDetailsDnsRelease: {
            nft_collection: string | null;
            nft_item: string | null;
            nft_item_index: string | null;
            query_id: string | null;
            source: string | null;
            value: string | null;
        };
        ActionDetailsElectionDeposit: {
            amount?: string;
            stake_holder: string | null;
        };
        ActionDetailsElectionRecover: {
            amount?: string;
            stake_holder: string | null;
        };
        ActionDetailsEvaaLiquidate: {
            amount: string | null;
            asset: string | null;
            asset_id: string | null;
            borrower: string | null;
            borrower_contract: string | null;
            collateral: string | null;
            debt_amount: string | null;
            fail_reason: string | null;
            is_known_asset: boolean | null;
            source: string | null;
        };
        ActionDetailsEvaaSupply: {
            amount: string | null;
            asset: string | null;
            asset_id: string | null;
            is_ton: boolean | null;
            master: string | null;
            master_jetton_wallet: string | null;
            recipient: string | null;
            recipient_contract: string | null;
            recipient_jetton_wallet: string | null;
            sender_jetton_wallet: string | null;
            source: string | null;
            source_wallet: string | null;
        };
        ActionDetailsEvaaWithdraw: {
            amount: string | null;
            asset: string | null;
            asset_id: string | null;
            fail_reason: string | null;
            master: string | null;
            master_jetton_wallet: string | null;
            owner_contract: string | null;
            recipient: string | null;
            recipient_jetton_wallet: string | null;
            source: string | null;
        };
        ActionDetailsJettonBurn: {
            amount: string | null;
            asset: string | null;
            owner: string | null;
            owner_jetton_wallet: string | null;
        };
        ActionDetailsJettonMint: {
            amount: string | null;
            asset: string | null;
            receiver: string | null;
            receiver_jetton_wallet: string | null;
            ton_amount: string | null;
        };
        ActionDetailsJettonSwap: {
            asset_in: string | null;
            asset_out: string | null;
            /** @description One of `stonfi`, `stonfi_v2`, `dedust`, `dedust_v2`, `tonco` and `coffee`. */
            dex: string | null;
            dex_incoming_transfer: components["schemas"]["ActionDetailsJettonSwapTransfer"];
            dex_outgoing_transfer: components["schemas"]["ActionDetailsJettonSwapTransfer"];
            /** @description The least amount that the sender accepted; only for `tonco` and `dedust_v2`. */
            min_out_amount?: string | null;
            peer_swaps: components["schemas"]["ActionDetailsJettonSwapPeerSwap"][];
            sender: string | null;
        };
        ActionDetailsJettonSwapPeerSwap: {
            amount_in: string | null;
            amount_out: string | null;
            asset_in: string | null;
            asset_out: string | null;
        };
        ActionDetailsJettonSwapTransfer: {
            amount: string | null;
            asset: string | null;
            destination: string | null;
            destination_jetton_wallet: string | null;
            source: string | null;
            source_jetton_wallet: string | null;
        };
        ActionDetailsJettonTransfer: {
            amount: string | null;
            asset: string | null;
            comment: string | null;
            custom_payload: string | null;
            forward_amount: string | null;
            forward_payload: string | null;
            is_encrypted_comment: boolean | null;
            query_id: string | null;
            receiver: string | null;
            receiver_jetton_wallet: string | null;
            response_destination: string | null;
            sender: string | null;
            sender_jetton_wallet: string | null;
        };
        ActionDetailsJvaultClaim: {
            claimed_rewards: components["schemas"]["JettonAmountPair"][];
            pool: string | null;
            source: string | null;
            stake_wallet: string | null;
        };
        ActionDetailsJvaultStake: {
            amount: string | null;
            asset: string | null;
            minted_stake_jettons: string | null;
            period: number | null;
            pool: string | null;
            source: string | null;
            source_jetton_wallet: string | null;
            stake_wallet: string | null;
        };
        ActionDetailsJvaultUnstake: {
            amount: string | null;
            asset: string | null;
            exit_code: number | null;
            pool: string | null;
            source: string | null;
            stake_wallet: string | null;
            staking_asset: string | null;
        };
        ActionDetailsJvaultUnstakeRequest: {
            amount: string | null;
            asset: string | null;
            exit_code: number | null;
            pool: string | null;
            source: string | null;
            stake_wallet: string | null;
            staking_asset: string | null;
        };
        ActionDetailsLayerZeroCommitPacket: {
            channel: string | null;
            endpoint: string | null;
            layerzero_packet_data: components["schemas"]["ActionDetailsLayerZeroPacket"];
            msglib_connection: string | null;
            sender: string | null;
            uln: string | null;
            uln_connection: string | null;
        };
        ActionDetailsLayerZeroDvnVerify: {
            dvn: string | null;
            initiator: string | null;
            nonce: number | null;
            proxy: string | null;
            status: string | null;
            uln: string | null;
            uln_connection: string | null;
        };
        ActionDetailsLayerZeroPacket: {
            dst_eid: number | null;
            dst_oapp: string | null;
            guid: string | null;
            message: string | null;
            nonce: number | null;
            src_eid: number | null;
            src_oapp: string | null;
        };
        ActionDetailsLayerZeroReceive: {
            channel: string | null;
            layerzero_packet_data: components["schemas"]["ActionDetailsLayerZeroPacket"];
            oapp: string | null;
            sender: string | null;
        };
        ActionDetailsLayerZeroSend: {
            initiator: string | null;
            layerzero_packet_data: components["schemas"]["ActionDetailsLayerZeroPacket"];
            layerzero_send_data: components["schemas"]["ActionDetailsLayerZeroSendDetails"];
        };
        ActionDetailsLayerZeroSendDetails: {
            channel: string | null;
            endpoint: string | null;
            msglib: string | null;
            msglib_manager: string | null;
            native_fee: number | null;
            send_request_id: number | null;
            uln: string | null;
            zro_fee: number | null;
        };
        ActionDetailsLayerZeroSendTokens: {
            amount: string | null;
            asset: string | null;
            layerzero_packet_data: components["schemas"]["ActionDetailsLayerZeroPacket"];
            layerzero_send_data: components["schemas"]["ActionDetailsLayerZeroSendDetails"];
            oapp: string | null;
            oapp_wallet: string | null;
            sender: string | null;
            sender_wallet: string | null;
        };
        ActionDetailsLiquidityVaultExcess: {
            amount: string | null;
            asset: string | null;
        };
        ActionDetailsMultisigApprove: {
            destination: string | null;
            exit_code: number | null;
            signer_index: number | null;
            source: string | null;
        };
        ActionDetailsMultisigCreateOrder: {
            creator_index: number | null;
            destination: string | null;
            destination_order: string | null;
            expiration_date: number | null;
            is_created_by_signer: boolean | null;
            is_signed_by_creator: boolean | null;
            order_boc: string | null;
            order_seqno: string | null;
            query_id: string | null;
            source: string | null;
        };
        ActionDetailsMultisigExecute: {
            approvals_num: number | null;
            destination: string | null;
            expiration_date: number | null;
            order_boc: string | null;
            order_seqno: string | null;
            query_id: string | null;
            signers_hash: string | null;
            source: string | null;
        };
        ActionDetailsNftCancelAuction: {
            auction_address: string | null;
            marketplace: string | null;
            marketplace_address: string | null;
            nft_collection: string | null;
            nft_item: string | null;
            owner: string | null;
        };
        ActionDetailsNftCancelSale: {
            marketplace: string | null;
            marketplace_address: string | null;
            nft_collection: string | null;
            nft_item: string | null;
            owner: string | null;
            sale_address: string | null;
        };
        ActionDetailsNftDiscovery: {
            nft_collection: string | null;
            nft_item: string | null;
            nft_item_index: string | null;
            source: string | null;
        };
        ActionDetailsNftFinishAuction: {
            auction_address: string | null;
            marketplace: string | null;
            marketplace_address: string | null;
            nft_collection: string | null;
            nft_item: string | null;
            owner: string | null;
        };
        ActionDetailsNftMint: {
            nft_collection: string | null;
            nft_item: string | null;
            nft_item_index: string | null;
            owner?: string;
        };
        ActionDetailsNftPutOnAuction: {
            auction_address: string | null;
            listing_address: string | null;
            marketplace: string | null;
            marketplace_address: string | null;
            marketplace_fee_address: string | null;
            marketplace_fee_base: string | null;
            marketplace_fee_factor: string | null;
            max_bid: string | null;
            min_bid: string | null;
            nft_collection: string | null;
            nft_item: string | null;
            nft_item_index: string | null;
            owner: string | null;
            royalty_address: string | null;
            royalty_fee_base: string | null;
        };
        ActionDetailsNftPutOnSale: {
            full_price: string | null;
            listing_address: string | null;
            marketplace: string | null;
            marketplace_address: string | null;
            marketplace_fee: string | null;
            marketplace_fee_address: string | null;
            nft_collection: string | null;
            nft_item: string | null;
            nft_item_index: string | null;
            owner: string | null;
            royalty_address: string | null;
            royalty_amount: string | null;
            sale_address: string | null;
        };
        ActionDetailsNftTransfer: {
            comment: string | null;
            custom_payload: string | null;
            forward_amount: string | null;
            forward_payload: string | null;
            is_encrypted_comment: boolean | null;
            is_purchase: boolean | null;
            marketplace: string | null;
            marketplace_address: string | null;
            new_owner: string | null;
            nft_collection: string | null;
            nft_item: string | null;
            nft_item_index: string | null;
            old_owner?: string;
            payout_address: string | null;
            payout_amount: string | null;
            payout_comment: string | null;
            payout_comment_encoded: boolean | null;
            payout_comment_encrypted: boolean | null;
            price?: string;
            query_id: string | null;
            real_old_owner: string | null;
            response_destination: string | null;
            royalty_address: string | null;
            royalty_amount: string | null;
        };
        ActionDetailsNftUpdateSale: {
            full_price: string | null;
            marketplace: string | null;
            marketplace_address: string | null;
            marketplace_fee: string | null;
            nft_address: string | null;
            royalty_amount: string | null;
            sale_contract: string | null;
            source: string | null;
        };
        ActionDetailsRenewDns: {
            asset: string | null;
            nft_collection: string | null;
            source: string | null;
        };
        ActionDetailsStakeDeposit: {
            amount: string | null;
            asset: string | null;
            pool: string | null;
            provider: string | null;
            source_asset?: string;
            stake_holder: string | null;
            tokens_minted: string | null;
        };
        ActionDetailsSubscribe: {
            amount: string | null;
            beneficiary?: string;
            subscriber: string | null;
            subscription: string | null;
        };
        ActionDetailsTgbtcBurn: {
            amount: string | null;
            asset: string | null;
            destination: string | null;
            source: string | null;
            source_wallet: string | null;
        };
        ActionDetailsTgbtcMint: {
            amount: string | null;
            asset: string | null;
            bitcoin_tx_id: string | null;
            destination: string | null;
            destination_wallet: string | null;
            source: string | null;
        };
        ActionDetailsTgbtcNewKey: {
            amount: string | null;
            asset: string | null;
            coordinator: string | null;
            pegout: string | null;
            pubkey: string | null;
            source: string | null;
        };
        ActionDetailsTickTock: Record<string, never>;
        ActionDetailsToncoDeployPool: {
            initial_price_x96: string | null;
            jetton_minter_1: string | null;
            jetton_minter_2: string | null;
            lp_fee_base: string | null;
            lp_fee_current: string | null;
            pool: string | null;
            pool_active: boolean | null;
            protocol_fee: string | null;
            router: string | null;
            router_jetton_wallet_1: string | null;
            router_jetton_wallet_2: string | null;
            source: string | null;
            tick_spacing: string | null;
        };
        ActionDetailsTonTransfer: {
            comment: string | null;
            destination: string | null;
            encrypted: boolean | null;
            source: string | null;
            value: string | null;
            value_extra_currencies: {
                [key: string]: string;
            };
        };
        ActionDetailsUnsubscribe: {
            amount?: string;
            beneficiary?: string;
            subscriber: string | null;
            subscription: string | null;
        };
        ActionDetailsUnsupported: {
            error: string;
        };
        ActionDetailsVestingAddWhitelist: {
            accounts_added: string[] | null;
            query_id: string | null;
            source: string | null;
            vesting: string | null;
        };
        ActionDetailsVestingSendMessage: {
            amount: string | null;
            destination: string | null;
            message_boc: string | null;
            query_id: string | null;
            source: string | null;
            vesting: string | null;
        };
        ActionDetailsWithdrawStake: {
            amount: string | null;
            asset: string | null;
            payout_nft: string | null;
            pool: string | null;
            provider: string | null;
            stake_holder: string | null;
            tokens_burnt: string | null;
        };
        ActionDetailsWithdrawStakeRequest: {
            asset: string | null;
            payout_nft: string | null;
            pool: string | null;
            provider: string | null;
            stake_holder: string | null;
            tokens_burnt: string | null;
            tokens_minted?: string;
        };
        ActionPhase: {
            action_list_hash: string;
            msgs_created: number;
            no_funds: boolean;
            result_arg?: number;
            result_code: number;
            skipped_actions: number;
            spec_actions: number;
            /** @enum {string} */
            status_change: "unchanged" | "frozen" | "deleted";
            success: boolean;
            tot_actions: number;
            tot_msg_size: components["schemas"]["MsgSize"];
            total_action_fees?: string;
            total_fwd_fees?: string;
            valid: boolean;
        };
        ActionsRequest: {
            /** @description An account that takes part in the action. */
            account?: string;
            /** @description Action ids. */
            action_id?: string[];
            /** @description Action types. */
            action_type?: string[];
            /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
            cursor?: string;
            /** @description Last logical time of the trace at or below this. */
            end_lt?: number | string;
            /** @description End time of the trace at or before this unix time. */
            end_utime?: number;
            /** @description Action types to leave out. */
            exclude_action_type?: string[];
            /** @description Include the accounts of each action. Default: `false`. */
            include_accounts?: boolean;
            /** @description Include the transactions of each action. Default: `false`. */
            include_transactions?: boolean;
            /** @description Rows to return. Default: `10`. */
            limit?: number;
            /** @description Seqno of the masterchain block in which the trace ended. */
            mc_seqno?: number;
            /** @description Hashes of messages of its transactions, normalized or not. */
            msg_hash?: string[];
            /** @description Rows to skip. Default: `0`. */
            offset?: number;
            /**
             * @description Sort direction. Default: `"desc"`.
             * @enum {string}
             */
            sort?: "asc" | "desc";
            /** @description Last logical time of the trace at or above this. */
            start_lt?: number | string;
            /** @description End time of the trace at or after this unix time. */
            start_utime?: number;
            /** @description Action types that the client supports, or names of sets of them: `v1` to `v5`, `latest`, `staking`, `nft` and so on. The types of `v1` are always included. An action that is part of a supported action is left out. The header `X-Actions-Version` overrides this parameter. */
            supported_action_types?: string[];
            /** @description Trace ids. */
            trace_id?: string[];
            /** @description Hashes of transactions in the action. */
            tx_hash?: string[];
        };
        ActionsResponse: {
            actions: components["schemas"]["Action"][];
            address_book: components["schemas"]["AddressBook"];
            metadata: components["schemas"]["Metadata"];
        };
        ActiveNominatorInfo: {
            address: string;
            /** @description Takes part in the stake. */
            balance: string;
            /** @description Joins the balance when the current stake returns. */
            pending_balance: string;
        };
        AddressBook: {
            [key: string]: components["schemas"]["AddressBookRow"];
        };
        AddressBookRequest: {
            /** @description Addresses in any form; repeat the name for several. */
            address: string[];
        };
        AddressBookRow: {
            /** @description The shortest domain that the account owns and that resolves to it. */
            domain: string | null;
            /** @description Interfaces of the contract, by its code. */
            interfaces: string[] | null;
            /** @description Base64url; non-bounceable for wallets and accounts without code. */
            user_friendly: string | null;
        };
        AddressMetadata: {
            /** @description False until everything was fetched. */
            is_indexed: boolean;
            token_info: components["schemas"]["TokenInfo"][];
        };
        AuctionBidAction: {
            details: components["schemas"]["ActionDetailsAuctionBid"];
            /** @constant */
            type: "auction_bid";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "auction_bid";
        });
        AuctionOutbidAction: {
            details: components["schemas"]["ActionDetailsAuctionOutbid"];
            /** @constant */
            type: "auction_outbid";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "auction_outbid";
        });
        BalanceChangesResult: {
            changes: {
                [key: string]: number;
            };
            fees: {
                [key: string]: number;
            };
            jettons: {
                [key: string]: {
                    [key: string]: string;
                };
            };
        };
        Block: {
            after_merge: boolean;
            after_split: boolean;
            before_split: boolean;
            created_by: string;
            end_lt: string;
            file_hash: string;
            flags: number;
            gen_catchain_seqno: number;
            gen_utime: string;
            global_id: number;
            key_block: boolean;
            /** @description 0 for masterchain blocks. */
            master_ref_seqno: number;
            masterchain_block_ref: components["schemas"]["BlockId"];
            min_ref_mc_seqno: number;
            prev_blocks: components["schemas"]["BlockId"][] | null;
            prev_key_block_seqno: number;
            rand_seed: string;
            root_hash: string;
            seqno: number;
            /** @description Hex. */
            shard: string;
            start_lt: string;
            tx_count: number;
            /** @description Signed. */
            validator_list_hash_short: number;
            version: number;
            vert_seqno: number;
            vert_seqno_incr: boolean;
            want_merge: boolean;
            want_split: boolean;
            workchain: number;
        };
        BlockId: {
            seqno: number;
            /** @description Hex. */
            shard: string;
            workchain: number;
        };
        BlocksResponse: {
            blocks: components["schemas"]["Block"][];
        };
        BouncePhase: {
            fwd_fees?: string;
            msg_fees?: string;
            msg_size?: components["schemas"]["MsgSize"];
            req_fwd_fees?: string;
            /** @enum {string} */
            type: "negfunds" | "nofunds" | "ok";
        };
        CallContractAction: {
            details: components["schemas"]["ActionDetailsCallContract"];
            /** @constant */
            type: "call_contract";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "call_contract";
        });
        ChangeDnsAction: {
            details: components["schemas"]["ActionDetailsChangeDns"];
            /** @constant */
            type: "change_dns";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "change_dns";
        });
        CocoonClientChangeSecretHashAction: {
            details: components["schemas"]["ActionDetailsCocoonClientChangeSecretHash"];
            /** @constant */
            type: "cocoon_client_change_secret_hash";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "cocoon_client_change_secret_hash";
        });
        CocoonClientIncreaseStakeAction: {
            details: components["schemas"]["ActionDetailsCocoonClientIncreaseStake"];
            /** @constant */
            type: "cocoon_client_increase_stake";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "cocoon_client_increase_stake";
        });
        CocoonClientRegisterAction: {
            details: components["schemas"]["ActionDetailsCocoonClientRegister"];
            /** @constant */
            type: "cocoon_client_register";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "cocoon_client_register";
        });
        CocoonClientRequestRefundAction: {
            details: components["schemas"]["ActionDetailsCocoonClientRequestRefund"];
            /** @constant */
            type: "cocoon_client_request_refund";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "cocoon_client_request_refund";
        });
        CocoonClientTopUpAction: {
            details: components["schemas"]["ActionDetailsCocoonClientTopUp"];
            /** @constant */
            type: "cocoon_client_top_up";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "cocoon_client_top_up";
        });
        CocoonClientWithdrawAction: {
            details: components["schemas"]["ActionDetailsCocoonClientWithdraw"];
            /** @constant */
            type: "cocoon_client_withdraw";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "cocoon_client_withdraw";
        });
        CocoonGrantRefundAction: {
            details: components["schemas"]["ActionDetailsCocoonGrantRefund"];
            /** @constant */
            type: "cocoon_grant_refund";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "cocoon_grant_refund";
        });
        CocoonProxyChargeAction: {
            details: components["schemas"]["ActionDetailsCocoonProxyCharge"];
            /** @constant */
            type: "cocoon_proxy_charge";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "cocoon_proxy_charge";
        });
        CocoonProxyPayoutAction: {
            details: components["schemas"]["ActionDetailsCocoonProxyPayout"];
            /** @constant */
            type: "cocoon_proxy_payout";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "cocoon_proxy_payout";
        });
        CocoonRegisterProxyAction: {
            details: components["schemas"]["ActionDetailsCocoonRegisterProxy"];
            /** @constant */
            type: "cocoon_register_proxy";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "cocoon_register_proxy";
        });
        CocoonUnregisterProxyAction: {
            details: components["schemas"]["ActionDetailsCocoonUnregisterProxy"];
            /** @constant */
            type: "cocoon_unregister_proxy";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "cocoon_unregister_proxy";
        });
        CocoonWorkerPayoutAction: {
            details: components["schemas"]["ActionDetailsCocoonWorkerPayout"];
            /** @constant */
            type: "cocoon_worker_payout";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "cocoon_worker_payout";
        });
        CoffeeCreatePoolAction: {
            details: components["schemas"]["ActionDetailsCoffeeCreatePool"];
            /** @constant */
            type: "coffee_create_pool";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "coffee_create_pool";
        });
        CoffeeCreatePoolCreatorAction: {
            details: components["schemas"]["ActionDetailsCoffeeCreatePoolCreator"];
            /** @constant */
            type: "coffee_create_pool_creator";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "coffee_create_pool_creator";
        });
        CoffeeCreateVaultAction: {
            details: components["schemas"]["ActionDetailsCoffeeCreateVault"];
            /** @constant */
            type: "coffee_create_vault";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "coffee_create_vault";
        });
        CoffeeMevProtectFailedSwapAction: {
            details: components["schemas"]["ActionDetailsUnsupported"];
            raw_action: components["schemas"]["RawAction"];
            /** @constant */
            type: "coffee_mev_protect_failed_swap";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "coffee_mev_protect_failed_swap";
        });
        CoffeeMevProtectHoldFundsAction: {
            details: components["schemas"]["ActionDetailsCoffeeMevProtectHoldFunds"];
            /** @constant */
            type: "coffee_mev_protect_hold_funds";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "coffee_mev_protect_hold_funds";
        });
        CoffeeStakingClaimRewardsAction: {
            details: components["schemas"]["ActionDetailsCoffeeStakingClaimRewards"];
            /** @constant */
            type: "coffee_staking_claim_rewards";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "coffee_staking_claim_rewards";
        });
        CoffeeStakingDepositAction: {
            details: components["schemas"]["ActionDetailsCoffeeStakingDeposit"];
            /** @constant */
            type: "coffee_staking_deposit";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "coffee_staking_deposit";
        });
        CoffeeStakingWithdrawAction: {
            details: components["schemas"]["ActionDetailsCoffeeStakingWithdraw"];
            /** @constant */
            type: "coffee_staking_withdraw";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "coffee_staking_withdraw";
        });
        ComputePhase: {
            account_activated?: boolean;
            exit_arg?: number;
            exit_code?: number;
            gas_credit?: string;
            gas_fees?: string;
            gas_limit?: string;
            gas_used?: string;
            mode?: number;
            msg_state_used?: boolean;
            /** @enum {string} */
            reason?: "no_state" | "bad_state" | "no_gas" | "suspended";
            skipped: boolean;
            success?: boolean;
            vm_final_state_hash?: string;
            vm_init_state_hash?: string;
            vm_steps?: number;
        };
        ContractDeployAction: {
            details: components["schemas"]["ActionDetailsContractDeploy"];
            /** @constant */
            type: "contract_deploy";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contract_deploy";
        });
        CreditPhase: {
            credit: string;
            credit_extra_currencies?: {
                [key: string]: string;
            };
            due_fees_collected?: string;
        };
        /** @description Fields in the order of the body; `@type` names its type. An unknown body is null, or `{"error"}` in `decode`. */
        DecodedBody: {
            [key: string]: unknown;
        };
        DecodeRequest: {
            /** @description Message bodies as bags of cells in base64 or hex. */
            bodies?: string[];
            /** @description Opcodes: hex with or without 0x, or decimal if the text is not 32-bit hex. */
            opcodes?: string[];
        };
        DecodeResponse: {
            bodies: components["schemas"]["DecodedBody"][];
            opcodes: string[];
        };
        DedustV2ClaimFeesAction: {
            details: components["schemas"]["ActionDetailsDedustV2ClaimFees"];
            /** @constant */
            type: "dedust_v2_claim_fees";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "dedust_v2_claim_fees";
        });
        DedustV2ClaimRewardAction: {
            details: components["schemas"]["ActionDetailsDedustV2ClaimReward"];
            /** @constant */
            type: "dedust_v2_claim_reward";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "dedust_v2_claim_reward";
        });
        DeleteDnsAction: {
            details: components["schemas"]["ActionDetailsDeleteDns"];
            /** @constant */
            type: "delete_dns";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "delete_dns";
        });
        DeprecatedEventsResponse: {
            address_book: components["schemas"]["AddressBook"];
            events: components["schemas"]["Trace"][];
            metadata: components["schemas"]["Metadata"];
        };
        DexDepositLiquidityAction: {
            details: components["schemas"]["ActionDetailsDexDepositLiquidity"];
            /** @constant */
            type: "dex_deposit_liquidity";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "dex_deposit_liquidity";
        });
        DexWithdrawLiquidityAction: {
            details: components["schemas"]["ActionDetailsDexWithdrawLiquidity"];
            /** @constant */
            type: "dex_withdraw_liquidity";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "dex_withdraw_liquidity";
        });
        DNSAuction: {
            /** @description Unix time. */
            auction_end_time: string;
            domain: string;
            /** @description The auction has ended and is not claimed. */
            finished: boolean;
            /** @description Unix time of the last bid or renewal. */
            last_fill_up_time: string | null;
            max_bid_address: string;
            /** @description Nanotons. */
            max_bid_amount: string | null;
            nft_item?: components["schemas"]["NFTItem"];
            nft_item_address: string;
        };
        DNSAuctionsResponse: {
            address_book: components["schemas"]["AddressBook"];
            auctions: components["schemas"]["DNSAuction"][];
            metadata: components["schemas"]["Metadata"];
            /** @description Null on the last page. */
            next_cursor: string | null;
        };
        DnsPurchaseAction: {
            details: components["schemas"]["ActionDetailsDnsPurchase"];
            /** @constant */
            type: "dns_purchase";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "dns_purchase";
        });
        DNSRecord: {
            dns_next_resolver: string | null;
            /** @description Base64. */
            dns_site_adnl: string | null;
            /** @description Base64. */
            dns_storage_bag_id: string | null;
            dns_wallet: string | null;
            domain: string;
            nft_item_address: string;
            nft_item_owner: string | null;
        };
        DNSRecordsResponse: {
            address_book: components["schemas"]["AddressBook"];
            records: components["schemas"]["DNSRecord"][];
        };
        DnsReleaseAction: {
            details: components["schemas"]["ActionDetailsDnsRelease"];
            /** @constant */
            type: "dns_release";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "dns_release";
        });
        ElectionDepositAction: {
            details: components["schemas"]["ActionDetailsElectionDeposit"];
            /** @constant */
            type: "election_deposit";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "election_deposit";
        });
        ElectionRecoverAction: {
            details: components["schemas"]["ActionDetailsElectionRecover"];
            /** @constant */
            type: "election_recover";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "election_recover";
        });
        Error: {
            code: number;
            error: string;
        };
        EvaaLiquidateAction: {
            details: components["schemas"]["ActionDetailsEvaaLiquidate"];
            /** @constant */
            type: "evaa_liquidate";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "evaa_liquidate";
        });
        EvaaSupplyAction: {
            details: components["schemas"]["ActionDetailsEvaaSupply"];
            /** @constant */
            type: "evaa_supply";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "evaa_supply";
        });
        EvaaWithdrawAction: {
            details: components["schemas"]["ActionDetailsEvaaWithdraw"];
            /** @constant */
            type: "evaa_withdraw";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "evaa_withdraw";
        });
        EventsRequest: {
            /** @description An account with a transaction in the trace. */
            account?: string;
            /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
            cursor?: string;
            /** @description Last logical time at or below this. */
            end_lt?: number | string;
            /** @description End time at or before this unix time. */
            end_utime?: number;
            /** @description Include the actions of each trace. Default: `false`. */
            include_actions?: boolean;
            /** @description Rows to return. Default: `10`. */
            limit?: number;
            /** @description Seqno of the masterchain block in which the trace ended. */
            mc_seqno?: number;
            /** @description Hashes of messages in the trace, normalized or not. */
            msg_hash?: string[];
            /** @description Rows to skip. Default: `0`. */
            offset?: number;
            /**
             * @description Sort direction. Default: `"desc"`.
             * @enum {string}
             */
            sort?: "asc" | "desc";
            /** @description Last logical time at or above this. */
            start_lt?: number | string;
            /** @description End time at or after this unix time. */
            start_utime?: number;
            /** @description Action types that the client supports, or names of sets of them: `v1` to `v5`, `latest`, `staking`, `nft` and so on. The types of `v1` are always included. An action that is part of a supported action is left out. The header `X-Actions-Version` overrides this parameter. */
            supported_action_types?: string[];
            /** @description Trace ids. */
            trace_id?: string[];
            /** @description Hashes of transactions in the trace. */
            tx_hash?: string[];
        };
        ExtraCurrencyTransferAction: {
            details: components["schemas"]["ActionDetailsCallContract"] | components["schemas"]["ActionDetailsTonTransfer"];
            /** @constant */
            type: "extra_currency_transfer";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "extra_currency_transfer";
        });
        /** @enum {string} */
        FinalityState: "pending" | "confirmed" | "finalized";
        JettonAmountPair: {
            amount: string | null;
            jetton: string | null;
        };
        JettonBurn: {
            /** @description In the smallest unit of the jetton. */
            amount: string;
            /** @description A bag of cells in base64; null if there is none. */
            custom_payload: string | null;
            decoded_custom_payload: components["schemas"]["DecodedBody"] | null;
            jetton_master: string;
            jetton_wallet: string;
            /** @description Who requested the burn. */
            owner: string;
            query_id: string;
            /** @description An address, `addr_none` or `ext$…`. */
            response_destination: string;
            trace_id: string;
            transaction_aborted: boolean;
            transaction_hash: string;
            transaction_lt: string;
            transaction_now: number;
        };
        JettonBurnAction: {
            details: components["schemas"]["ActionDetailsJettonBurn"];
            /** @constant */
            type: "jetton_burn";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "jetton_burn";
        });
        JettonBurnsRequest: {
            /** @description Older name of `owner_address`, used if that is absent. */
            address?: string[];
            /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
            cursor?: string;
            /** @description Logical time at or below this. */
            end_lt?: number | string;
            /** @description Transaction time (the list is then ordered by it) at or before this unix time. */
            end_utime?: number;
            /** @description Burns of this jetton. */
            jetton_master?: string;
            /** @description Burns requested from these jetton wallets. */
            jetton_wallet?: string[];
            /** @description Rows to return. Default: `10`. */
            limit?: number;
            /** @description Rows to skip. Default: `0`. */
            offset?: number;
            /** @description Burns by these owners. */
            owner_address?: string[];
            /**
             * @description Sort direction. Default: `"desc"`.
             * @enum {string}
             */
            sort?: "asc" | "desc";
            /** @description Logical time at or above this. */
            start_lt?: number | string;
            /** @description Transaction time (the list is then ordered by it) at or after this unix time. */
            start_utime?: number;
        };
        JettonBurnsResponse: {
            address_book: components["schemas"]["AddressBook"];
            jetton_burns: components["schemas"]["JettonBurn"][];
            metadata: components["schemas"]["Metadata"];
        };
        JettonMaster: {
            address: string;
            admin_address: string | null;
            code_hash: string;
            data_hash: string;
            jetton_content: {
                [key: string]: string;
            };
            jetton_wallet_code_hash: string;
            last_transaction_lt: string;
            mintable: boolean;
            /** @description In the smallest unit of the jetton. */
            total_supply: string;
        };
        JettonMastersRequest: {
            /** @description Jetton master addresses. */
            address?: string[];
            /** @description Jettons with one of these admin addresses. */
            admin_address?: string[];
            /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
            cursor?: string;
            /** @description Rows to return. Default: `10`. */
            limit?: number;
            /** @description Rows to skip. Default: `0`. */
            offset?: number;
        };
        JettonMastersResponse: {
            address_book: components["schemas"]["AddressBook"];
            jetton_masters: components["schemas"]["JettonMaster"][];
            metadata: components["schemas"]["Metadata"];
        };
        JettonMintAction: {
            details: components["schemas"]["ActionDetailsJettonMint"];
            /** @constant */
            type: "jetton_mint";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "jetton_mint";
        });
        JettonSwapAction: {
            details: components["schemas"]["ActionDetailsJettonSwap"];
            /** @constant */
            type: "jetton_swap";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "jetton_swap";
        });
        JettonTransfer: {
            /** @description In the smallest unit of the jetton. */
            amount: string;
            /** @description A bag of cells in base64; null if there is none. */
            custom_payload: string | null;
            decoded_custom_payload: components["schemas"]["DecodedBody"] | null;
            decoded_forward_payload: components["schemas"]["DecodedBody"] | null;
            /** @description The new owner, `addr_none` or `ext$…`. */
            destination: string;
            /** @description A bag of cells in base64; null if there is none. */
            forward_payload: string | null;
            forward_ton_amount: string;
            jetton_master: string;
            query_id: string;
            /** @description An address, `addr_none` or `ext$…`. */
            response_destination: string;
            /** @description Who requested the transfer. */
            source: string;
            source_wallet: string;
            trace_id: string;
            transaction_aborted: boolean;
            transaction_hash: string;
            transaction_lt: string;
            transaction_now: number;
        };
        JettonTransferAction: {
            details: components["schemas"]["ActionDetailsJettonTransfer"];
            /** @constant */
            type: "jetton_transfer";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "jetton_transfer";
        });
        JettonTransfersRequest: {
            /** @description Older name of `owner_address`, used if that is absent. */
            address?: string[];
            /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
            cursor?: string;
            /**
             * @description Transfers to `owner_address` (`in`), from it (`out`), or both. Default: `"both"`.
             * @enum {string}
             */
            direction?: "in" | "out" | "both";
            /** @description Logical time at or below this. */
            end_lt?: number | string;
            /** @description Transaction time (the list is then ordered by it) at or before this unix time. */
            end_utime?: number;
            /** @description Transfers of this jetton. */
            jetton_master?: string;
            /** @description Transfers requested from these jetton wallets. */
            jetton_wallet?: string[];
            /** @description Rows to return. Default: `10`. */
            limit?: number;
            /** @description Rows to skip. Default: `0`. */
            offset?: number;
            /** @description Transfers from or to these owners. */
            owner_address?: string[];
            /**
             * @description Sort direction. Default: `"desc"`.
             * @enum {string}
             */
            sort?: "asc" | "desc";
            /** @description Logical time at or above this. */
            start_lt?: number | string;
            /** @description Transaction time (the list is then ordered by it) at or after this unix time. */
            start_utime?: number;
        };
        JettonTransfersResponse: {
            address_book: components["schemas"]["AddressBook"];
            jetton_transfers: components["schemas"]["JettonTransfer"][];
            metadata: components["schemas"]["Metadata"];
        };
        JettonWallet: {
            address: string;
            /** @description In the smallest unit of the jetton. */
            balance: string;
            code_hash: string;
            data_hash: string;
            jetton: string;
            last_transaction_lt: string;
            mintless_info?: components["schemas"]["MintlessInfo"];
            owner: string;
        };
        JettonWalletsRequest: {
            /** @description Jetton wallet addresses. */
            address?: string[];
            /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
            cursor?: string;
            /** @description Leave out wallets that have no jettons and no airdrop to claim. Default: `false`. */
            exclude_zero_balance?: boolean;
            /** @description Wallets of these jettons; several jettons need exactly one owner. */
            jetton_address?: string[];
            /** @description Rows to return. Default: `10`. */
            limit?: number;
            /** @description Rows to skip. Default: `0`. */
            offset?: number;
            /** @description Jetton wallets of these owners. */
            owner_address?: string[];
            /**
             * @description Sort by balance, in this direction.
             * @enum {string}
             */
            sort?: "asc" | "desc";
        };
        JettonWalletsResponse: {
            address_book: components["schemas"]["AddressBook"];
            jetton_wallets: components["schemas"]["JettonWallet"][];
            metadata: components["schemas"]["Metadata"];
        };
        JvaultClaimAction: {
            details: components["schemas"]["ActionDetailsJvaultClaim"];
            /** @constant */
            type: "jvault_claim";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "jvault_claim";
        });
        JvaultStakeAction: {
            details: components["schemas"]["ActionDetailsJvaultStake"];
            /** @constant */
            type: "jvault_stake";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "jvault_stake";
        });
        JvaultUnstakeAction: {
            details: components["schemas"]["ActionDetailsJvaultUnstake"];
            /** @constant */
            type: "jvault_unstake";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "jvault_unstake";
        });
        JvaultUnstakeRequestAction: {
            details: components["schemas"]["ActionDetailsJvaultUnstakeRequest"];
            /** @constant */
            type: "jvault_unstake_request";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "jvault_unstake_request";
        });
        LayerZeroCommitPacketAction: {
            details: components["schemas"]["ActionDetailsLayerZeroCommitPacket"];
            /** @constant */
            type: "layerzero_commit_packet";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "layerzero_commit_packet";
        });
        LayerZeroDvnVerifyAction: {
            details: components["schemas"]["ActionDetailsLayerZeroDvnVerify"];
            /** @constant */
            type: "layerzero_dvn_verify";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "layerzero_dvn_verify";
        });
        LayerZeroReceiveAction: {
            details: components["schemas"]["ActionDetailsLayerZeroReceive"];
            /** @constant */
            type: "layerzero_receive";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "layerzero_receive";
        });
        LayerZeroSendAction: {
            details: components["schemas"]["ActionDetailsLayerZeroSend"];
            /** @constant */
            type: "layerzero_send";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "layerzero_send";
        });
        LayerZeroSendTokensAction: {
            details: components["schemas"]["ActionDetailsLayerZeroSendTokens"];
            /** @constant */
            type: "layerzero_send_tokens";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "layerzero_send_tokens";
        });
        MasterchainInfo: {
            first: components["schemas"]["Block"];
            last: components["schemas"]["Block"];
        };
        Message: {
            bounce: boolean | null;
            bounced: boolean | null;
            created_at: string | null;
            created_lt: string | null;
            /** @description Name of the opcode; null if unknown. */
            decoded_opcode: string | null;
            /** @description Null for messages to outside the chain. */
            destination: string | null;
            extra_flags: string | null;
            fwd_fee: string | null;
            hash: string;
            /** @description The normalized hash of an external message, if it differs. */
            hash_norm?: string;
            ihr_disabled: boolean | null;
            ihr_fee: string | null;
            import_fee: string | null;
            /** @description The transaction that received the message. */
            in_msg_tx_hash?: string;
            init_state: components["schemas"]["MessageContent"] | null;
            message_content: components["schemas"]["MessageContent"] | null;
            /** @description The first 32 bits of the body, as 0x and hex. */
            opcode: string | null;
            /** @description The transaction that sent the message. */
            out_msg_tx_hash?: string;
            /** @description Null for external messages. */
            source: string | null;
            value: string | null;
            value_extra_currencies: {
                [key: string]: string;
            } | null;
        };
        MessageContent: {
            /** @description A bag of cells in base64; null if it is no longer stored. */
            body: string | null;
            decoded: components["schemas"]["DecodedBody"] | null;
            hash: string;
        };
        MessagesRequest: {
            /** @description Hash of the body. */
            body_hash?: string;
            /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
            cursor?: string;
            /** @description Receiver; `null` or `addr_none` for messages to outside the chain. */
            destination?: string;
            /**
             * @description Only received messages (`in`) or only sent messages (`out`), with the transaction on that side.
             * @enum {string}
             */
            direction?: "in" | "out";
            /** @description Logical time of creation at or below this. */
            end_lt?: number | string;
            /** @description Time of creation at or before this unix time. */
            end_utime?: number;
            /** @description Exclude external messages. Default: `false`. */
            exclude_externals?: boolean;
            /** @description Older name of `msg_hash`; only one of the two can be given. */
            hash?: string[];
            /** @description Rows to return. Default: `10`. */
            limit?: number;
            /** @description Message hashes, normalized or not. */
            msg_hash?: string[];
            /** @description Rows to skip. Default: `0`. */
            offset?: number;
            /** @description Only external messages. Default: `false`. */
            only_externals?: boolean;
            /** @description First 32 bits of the body. */
            opcode?: string;
            /**
             * @description Sort direction. Default: `"desc"`.
             * @enum {string}
             */
            sort?: "asc" | "desc";
            /** @description Sender; `null` or `addr_none` for external messages. */
            source?: string;
            /** @description Logical time of creation at or above this. */
            start_lt?: number | string;
            /** @description Time of creation at or after this unix time. */
            start_utime?: number;
        };
        MessagesResponse: {
            address_book: components["schemas"]["AddressBook"];
            messages: components["schemas"]["Message"][];
            metadata: components["schemas"]["Metadata"];
        };
        Metadata: {
            [key: string]: components["schemas"]["AddressMetadata"];
        };
        MetadataRequest: {
            /** @description Addresses in any form; repeat the name or use commas for several. */
            address: string[];
        };
        /** @description The airdrop of a mintless jetton (TEP-177) that was not claimed yet. Needs `MINTLESS_DISK_MB`, see the settings of the server. */
        MintlessInfo: {
            /** @description In the smallest unit of the jetton. */
            amount: string;
            /** @description Where wallets get the custom payload of a claim (TEP-176). */
            custom_payload_api_uri: string[] | null;
            /** @description Until when it can be claimed, in unix seconds. */
            expire_at: number | null;
            /** @description When it can be claimed, in unix seconds. */
            start_from: number | null;
        };
        MsgSize: {
            bits: string;
            cells: string;
        };
        Multisig: {
            address: string;
            code_hash: string;
            data_hash: string;
            last_transaction_lt: string;
            /** @description -1 if orders are not numbered. */
            next_order_seqno: string;
            /** @description Null if there are none, empty without `include_orders`. */
            orders: components["schemas"]["MultisigOrder"][] | null;
            proposers: string[];
            signers: string[];
            threshold: number;
        };
        MultisigApproveAction: {
            details: components["schemas"]["ActionDetailsMultisigApprove"];
            /** @constant */
            type: "multisig_approve";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "multisig_approve";
        });
        MultisigCreateOrderAction: {
            details: components["schemas"]["ActionDetailsMultisigCreateOrder"];
            /** @constant */
            type: "multisig_create_order";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "multisig_create_order";
        });
        MultisigExecuteAction: {
            details: components["schemas"]["ActionDetailsMultisigExecute"];
            /** @constant */
            type: "multisig_execute";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "multisig_execute";
        });
        MultisigOrder: {
            /** @description Null without `parse_actions`, and if the order cannot be parsed. */
            actions: components["schemas"]["OrderAction"][] | null;
            address: string;
            approvals_mask: string;
            approvals_num: number;
            code_hash: string;
            data_hash: string;
            expiration_date: number;
            last_transaction_lt: string;
            multisig_address: string;
            order_boc: string;
            order_seqno: string;
            sent_for_execution: boolean;
            signers: string[];
            threshold: number;
        };
        MultisigOrderResponse: {
            address_book: components["schemas"]["AddressBook"];
            orders: components["schemas"]["MultisigOrder"][];
        };
        MultisigOrdersRequest: {
            /** @description Order addresses. */
            address?: string[];
            /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
            cursor?: string;
            /** @description Rows to return. Default: `10`. */
            limit?: number;
            /** @description Orders of these multisig wallets. */
            multisig_address?: string[];
            /** @description Rows to skip. Default: `0`. */
            offset?: number;
            /** @description Parse the actions of the orders. Default: `false`. */
            parse_actions?: boolean;
            /**
             * @description Sort direction. Default: `"desc"`.
             * @enum {string}
             */
            sort?: "asc" | "desc";
        };
        MultisigResponse: {
            address_book: components["schemas"]["AddressBook"];
            multisigs: components["schemas"]["Multisig"][];
        };
        MultisigWalletsRequest: {
            /** @description Multisig wallet addresses. */
            address?: string[];
            /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
            cursor?: string;
            /** @description Include the orders of the wallets. Default: `true`. */
            include_orders?: boolean;
            /** @description Rows to return. Default: `10`. */
            limit?: number;
            /** @description Rows to skip. Default: `0`. */
            offset?: number;
            /**
             * @description Sort direction. Default: `"desc"`.
             * @enum {string}
             */
            sort?: "asc" | "desc";
            /** @description Multisig wallets with one of these as signer or proposer. */
            wallet_address?: string[];
        };
        NftCancelAuctionAction: {
            details: components["schemas"]["ActionDetailsNftCancelAuction"];
            /** @constant */
            type: "nft_cancel_auction";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "nft_cancel_auction";
        });
        NftCancelSaleAction: {
            details: components["schemas"]["ActionDetailsNftCancelSale"];
            /** @constant */
            type: "nft_cancel_sale";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "nft_cancel_sale";
        });
        NFTCollection: {
            address: string;
            code_hash: string;
            collection_content: {
                [key: string]: string;
            };
            data_hash: string;
            last_transaction_lt: string;
            /** @description -1 if items are not numbered. */
            next_item_index: string;
            owner_address: string | null;
        };
        NftCollectionsRequest: {
            /** @description Collection addresses. */
            collection_address?: string[];
            /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
            cursor?: string;
            /** @description Rows to return. Default: `10`. */
            limit?: number;
            /** @description Rows to skip. Default: `0`. */
            offset?: number;
            /** @description Collections of these owners. */
            owner_address?: string[];
        };
        NFTCollectionsResponse: {
            address_book: components["schemas"]["AddressBook"];
            metadata: components["schemas"]["Metadata"];
            nft_collections: components["schemas"]["NFTCollection"][];
        };
        NftDiscoveryAction: {
            details: components["schemas"]["ActionDetailsNftDiscovery"];
            /** @constant */
            type: "nft_discovery";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "nft_discovery";
        });
        NftFinishAuctionAction: {
            details: components["schemas"]["ActionDetailsNftFinishAuction"];
            /** @constant */
            type: "nft_finish_auction";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "nft_finish_auction";
        });
        NFTItem: {
            address: string;
            auction_contract_address?: string;
            code_hash: string;
            collection: components["schemas"]["NFTCollection"] | null;
            collection_address: string | null;
            content: {
                [key: string]: string;
            } | null;
            data_hash: string;
            /** @description Decimal; the name for a Telegram item on sale. */
            index: string;
            init: boolean;
            last_transaction_lt: string;
            /** @description The owner is a sale or auction contract. */
            on_sale: boolean;
            owner_address: string | null;
            /** @description The seller. */
            real_owner?: string;
            sale_contract_address?: string;
        };
        NftItemsRequest: {
            /** @description NFT item addresses. */
            address?: string[];
            /** @description Items of these collections; several collections need exactly one owner. */
            collection_address?: string[];
            /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
            cursor?: string;
            /** @description Count items on sale as the seller's. Only with `owner_address`. Default: `false`. */
            include_on_sale?: boolean;
            /** @description Indexes of items in the collection; repeat the name for several. */
            index?: string[];
            /** @description Rows to return. Default: `10`. */
            limit?: number;
            /** @description Rows to skip. Default: `0`. */
            offset?: number;
            /** @description Items of these owners. */
            owner_address?: string[];
            /** @description Order by last transaction, the newest first. Default: `false`. */
            sort_by_last_transaction_lt?: boolean;
        };
        NFTItemsResponse: {
            address_book: components["schemas"]["AddressBook"];
            metadata: components["schemas"]["Metadata"];
            nft_items: components["schemas"]["NFTItem"][];
        };
        NftMintAction: {
            details: components["schemas"]["ActionDetailsNftMint"];
            /** @constant */
            type: "nft_mint";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "nft_mint";
        });
        NftPurchaseAction: {
            details: components["schemas"]["ActionDetailsNftTransfer"];
            /** @constant */
            type: "nft_purchase";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "nft_purchase";
        });
        NftPutOnAuctionAction: {
            details: components["schemas"]["ActionDetailsNftPutOnAuction"];
            /** @constant */
            type: "nft_put_on_auction";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "nft_put_on_auction";
        });
        NftPutOnSaleAction: {
            details: components["schemas"]["ActionDetailsNftPutOnSale"];
            /** @constant */
            type: "nft_put_on_sale";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "nft_put_on_sale";
        });
        NFTSale: components["schemas"]["NFTSaleGetgemsSale"] | components["schemas"]["NFTSaleGetgemsAuction"] | components["schemas"]["NFTSaleTeleitem"];
        NFTSaleDetailsGetgemsAuction: {
            end_flag: boolean;
            end_time: number;
            is_canceled: boolean;
            last_bid: string;
            last_bid_at: number;
            last_member?: string;
            max_bid: string;
            min_bid: string;
            min_step: number;
            mp_fee_address: string;
            mp_fee_base: number;
            mp_fee_factor: number;
            royalty_fee_address: string;
            royalty_fee_base: number;
            royalty_fee_factor: number;
        };
        NFTSaleDetailsGetgemsSale: {
            full_price: string;
            is_complete: boolean;
            marketplace_fee: string;
            marketplace_fee_address: string;
            royalty_address: string;
            royalty_amount: string;
        };
        NFTSaleDetailsTeleitem: {
            beneficiary_address?: string;
            bid: string;
            bid_ts: string;
            bidder_address?: string;
            duration: string;
            end_time: number;
            initial_min_bid: string;
            max_bid: string;
            min_bid: string;
            min_bid_step: string;
            min_extend_time: string;
            royalty_denominator: number;
            royalty_destination: string;
            royalty_numerator: number;
            token_name: string;
        };
        NFTSaleGetgemsAuction: {
            address: string;
            code_hash: string;
            created_at?: number;
            data_hash: string;
            details: components["schemas"]["NFTSaleDetailsGetgemsAuction"];
            last_transaction_lt: string;
            marketplace_address?: string;
            nft_address?: string;
            nft_item?: components["schemas"]["NFTItem"];
            nft_owner_address?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "getgems_auction";
        };
        NFTSaleGetgemsSale: {
            address: string;
            code_hash: string;
            created_at?: number;
            data_hash: string;
            details: components["schemas"]["NFTSaleDetailsGetgemsSale"];
            last_transaction_lt: string;
            marketplace_address?: string;
            nft_address?: string;
            nft_item?: components["schemas"]["NFTItem"];
            nft_owner_address?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "getgems_sale";
        };
        NftSalesRequest: {
            /** @description Addresses of sale and auction contracts. */
            address: string[];
        };
        NFTSalesResponse: {
            address_book: components["schemas"]["AddressBook"];
            metadata: components["schemas"]["Metadata"];
            nft_sales: components["schemas"]["NFTSale"][];
        };
        NFTSaleTeleitem: {
            address: string;
            code_hash: string;
            created_at?: number;
            data_hash: string;
            details: components["schemas"]["NFTSaleDetailsTeleitem"];
            last_transaction_lt: string;
            marketplace_address?: string;
            nft_address?: string;
            nft_item?: components["schemas"]["NFTItem"];
            nft_owner_address?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "telemint";
        };
        NFTTransfer: {
            /** @description A bag of cells in base64; null if there is none. */
            custom_payload: string | null;
            decoded_custom_payload: components["schemas"]["DecodedBody"] | null;
            decoded_forward_payload: components["schemas"]["DecodedBody"] | null;
            forward_amount: string;
            /** @description A bag of cells in base64; null if there is none. */
            forward_payload: string | null;
            /** @description An address, `addr_none` or `ext$…`. */
            new_owner: string;
            nft_address: string;
            /** @description Empty for an item without a collection. */
            nft_collection: string;
            /** @description Who requested the transfer. */
            old_owner: string;
            query_id: string;
            /** @description An address, `addr_none` or `ext$…`. */
            response_destination: string;
            trace_id: string;
            transaction_aborted: boolean;
            transaction_hash: string;
            transaction_lt: string;
            transaction_now: number;
        };
        NftTransferAction: {
            details: components["schemas"]["ActionDetailsNftTransfer"];
            /** @constant */
            type: "nft_transfer";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "nft_transfer";
        });
        NftTransfersRequest: {
            /** @description Older name of `owner_address`, used if that is absent. */
            address?: string[];
            /** @description Transfers of items of this collection. */
            collection_address?: string;
            /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
            cursor?: string;
            /**
             * @description Transfers to `owner_address` (`in`), from it (`out`), or both. Default: `"both"`.
             * @enum {string}
             */
            direction?: "in" | "out" | "both";
            /** @description Logical time at or below this. */
            end_lt?: number | string;
            /** @description Transaction time (the list is then ordered by it) at or before this unix time. */
            end_utime?: number;
            /** @description Transfers of these items. */
            item_address?: string[];
            /** @description Rows to return. Default: `10`. */
            limit?: number;
            /** @description Rows to skip. Default: `0`. */
            offset?: number;
            /** @description Transfers from or to these owners. */
            owner_address?: string[];
            /**
             * @description Sort direction. Default: `"desc"`.
             * @enum {string}
             */
            sort?: "asc" | "desc";
            /** @description Logical time at or above this. */
            start_lt?: number | string;
            /** @description Transaction time (the list is then ordered by it) at or after this unix time. */
            start_utime?: number;
        };
        NFTTransfersResponse: {
            address_book: components["schemas"]["AddressBook"];
            metadata: components["schemas"]["Metadata"];
            nft_transfers: components["schemas"]["NFTTransfer"][];
        };
        NftUpdateSaleAction: {
            details: components["schemas"]["ActionDetailsNftUpdateSale"];
            /** @constant */
            type: "nft_update_sale";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "nft_update_sale";
        });
        NominatorPoolEvent: {
            /** @description Negative for a reward of a stake that lost. */
            amount: string;
            balance_after: string;
            balance_before: string;
            balance_delta: string;
            nominator_address: string;
            pending_balance_after: string;
            pending_balance_before: string;
            pending_balance_delta: string;
            pool_address: string;
            tx_hash: string;
            tx_lt: string;
            /** @enum {string} */
            type: "reward" | "deposit" | "withdrawal" | "pending_deposit_activation" | "withdrawal_request";
            utime: number;
            withdraw_request_after: boolean;
            withdraw_request_before: boolean;
        };
        NominatorPoolEventsResponse: {
            address_book: components["schemas"]["AddressBook"];
            /** @description As requested. */
            end_utime?: number;
            events: components["schemas"]["NominatorPoolEvent"][];
            /** @description As requested. */
            start_utime?: number;
        };
        NominatorPoolInfo: {
            active_nominators: components["schemas"]["ActiveNominatorInfo"][];
            address_book: components["schemas"]["AddressBook"];
            max_nominators_count: number;
            min_nominator_stake: string;
            min_validator_stake: string;
            nominators_count: number;
            stake_amount_sent: string;
            /** @description 0: idle, 1: the stake is sent to the elector, 2: it is accepted. */
            state: number;
            validator_address: string;
            /** @description What the validator has in the pool. */
            validator_amount: string;
            /** @description In 1/10000. */
            validator_reward_share: number;
        };
        NominatorPoolPosition: {
            /** @description Takes part in the stake. */
            balance: string;
            /** @description Joins the balance when the current stake returns. */
            pending_balance: string;
            pool_address: string;
        };
        NominatorPoolsResponse: {
            address_book: components["schemas"]["AddressBook"];
            nominator_pools: components["schemas"]["NominatorPoolPosition"][];
        };
        NominatorPoolValidatorEvent: {
            /** @description Without a sign. */
            amount: string;
            balance_after: string;
            balance_before: string;
            balance_delta: string;
            cycle_start?: number;
            pool_address: string;
            query_id?: string;
            tx_hash: string;
            tx_lt: string;
            /** @enum {string} */
            type: "reward" | "penalty" | "deposit" | "withdrawal";
            utime: number;
            validator_address: string;
            /** @description In 1/10000. */
            validator_reward_share: number;
        };
        NominatorPoolValidatorEventsResponse: {
            address_book: components["schemas"]["AddressBook"];
            /** @description As requested. */
            end_utime?: number;
            events: components["schemas"]["NominatorPoolValidatorEvent"][];
            /** @description As requested. */
            start_utime?: number;
        };
        NominatorPoolValidatorReward: {
            balance_before: string;
            cycle_start?: number;
            query_id?: string;
            reward: string;
            tx_hash: string;
            tx_lt: string;
            utime: number;
        };
        NominatorPoolValidatorRewardsResponse: {
            address_book: components["schemas"]["AddressBook"];
            /** @description As requested. */
            end_utime?: number;
            rewards: components["schemas"]["NominatorPoolValidatorReward"][];
            /** @description As requested. */
            start_utime?: number;
            /** @description The sum of the rewards in this response. */
            total_on_page: string;
        };
        NominatorReward: {
            reward: string;
            stake_before: string;
            tx_hash: string;
            tx_lt: string;
            utime: number;
        };
        NominatorRewardsResponse: {
            address_book: components["schemas"]["AddressBook"];
            /** @description As requested. */
            end_utime?: number;
            rewards: components["schemas"]["NominatorReward"][];
            /** @description As requested. */
            start_utime?: number;
            /** @description The sum of the rewards in this response. */
            total_on_page: string;
        };
        OrderAction: {
            /** @description A bag of cells in base64. */
            body_raw: string | null;
            destination: string | null;
            error: string | null;
            parsed: boolean;
            parsed_body: components["schemas"]["ParsedBody"] | null;
            parsed_body_type: string;
            send_mode: number;
            value: string | null;
        };
        ParsedBody: {
            /** @description A bag of cells in base64. */
            action_data?: string | null;
            action_type?: string;
            amount?: string;
            coins?: string;
            comment?: string;
            /** @description A bag of cells in base64. */
            custom_payload?: string | null;
            /** @description A bag of cells in base64. */
            data?: string | null;
            destination?: string | null;
            encrypted?: boolean;
            encrypted_comment?: boolean;
            forward_amount?: string;
            /** @description A bag of cells in base64. */
            forward_payload?: string | null;
            master_msg_jetton_amount?: string;
            master_msg_query_id?: number;
            /** @description A bag of cells in base64. */
            message_body?: string | null;
            new_admin_address?: string | null;
            new_metadata_url?: string;
            new_owner?: string | null;
            new_proposers?: (string | null)[];
            new_signers?: (string | null)[];
            new_status?: number;
            new_threshold?: number;
            opcode?: number;
            payload_sum_type?: string;
            query_id?: number;
            response?: string | null;
            response_destination?: string | null;
            send_mode?: number;
            stonfi_swap_body?: components["schemas"]["StonfiSwapBody"] | null;
            to_address?: string | null;
            ton_amount?: string;
            validator_address?: string | null;
            value?: string;
        };
        PendingActionsRequest: {
            /** @description An account that takes part in the trace. */
            account?: string;
            /** @description External message hashes, normalized or not. Ignored if `account` is given. */
            ext_msg_hash?: string[];
            /** @description Include the transactions of each action. Default: `false`. */
            include_transactions?: boolean;
            /** @description Action types that the client supports, or names of sets of them: `v1` to `v5`, `latest`, `staking`, `nft` and so on. The types of `v1` are always included. An action that is part of a supported action is left out. The header `X-Actions-Version` overrides this parameter. */
            supported_action_types?: string[];
        };
        PendingTracesRequest: {
            /** @description An account that takes part in the trace. */
            account?: string;
            /** @description External message hashes, normalized or not. Ignored if `account` is given. */
            ext_msg_hash?: string[];
            /** @description Action types that the client supports, or names of sets of them: `v1` to `v5`, `latest`, `staking`, `nft` and so on. The types of `v1` are always included. An action that is part of a supported action is left out. The header `X-Actions-Version` overrides this parameter. */
            supported_action_types?: string[];
        };
        PendingTracesResponse: {
            address_book: components["schemas"]["AddressBook"];
            metadata: components["schemas"]["Metadata"];
            /** @description Null if there are none. */
            traces: components["schemas"]["Trace"][] | null;
        };
        PendingTransactionsRequest: {
            /** @description Account addresses. */
            account: string[];
            /** @description Trace ids; only a trace with a real transaction has one. */
            trace_id?: string[];
        };
        /** @description All stored columns, for types without details. */
        RawAction: {
            [key: string]: unknown;
        };
        RenewDnsAction: {
            details: components["schemas"]["ActionDetailsRenewDns"];
            /** @constant */
            type: "renew_dns";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "renew_dns";
        });
        SplitInfo: {
            acc_split_depth: number;
            cur_shard_pfx_len: number;
            sibling_addr: string;
            this_addr: string;
        };
        StakeDepositAction: {
            details: components["schemas"]["ActionDetailsStakeDeposit"];
            /** @constant */
            type: "stake_deposit";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "stake_deposit";
        });
        StakeWithdrawalAction: {
            details: components["schemas"]["ActionDetailsWithdrawStake"];
            /** @constant */
            type: "stake_withdrawal";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "stake_withdrawal";
        });
        StakeWithdrawalRequestAction: {
            details: components["schemas"]["ActionDetailsWithdrawStakeRequest"];
            /** @constant */
            type: "stake_withdrawal_request";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "stake_withdrawal_request";
        });
        StonfiSwapBody: {
            jetton_wallet: string | null;
            /** @description In coins of nine decimals. */
            min_amount: string;
            user_address: string | null;
        };
        StoragePhase: {
            /** @enum {string} */
            status_change: "unchanged" | "frozen" | "deleted";
            storage_fees_collected: string;
            storage_fees_due?: string;
        };
        SubscribeAction: {
            details: components["schemas"]["ActionDetailsSubscribe"];
            /** @constant */
            type: "subscribe";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "subscribe";
        });
        TeleitemCancelAuctionAction: {
            details: components["schemas"]["ActionDetailsNftCancelAuction"];
            /** @constant */
            type: "teleitem_cancel_auction";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "teleitem_cancel_auction";
        });
        TeleitemStartAuctionAction: {
            details: components["schemas"]["ActionDetailsNftPutOnAuction"];
            /** @constant */
            type: "teleitem_start_auction";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "teleitem_start_auction";
        });
        TestRequestEcho: {
            Addr: string[];
            Hash: string[];
            Shard: string[];
        };
        TgbtcBurnAction: {
            details: components["schemas"]["ActionDetailsTgbtcBurn"];
            /** @constant */
            type: "tgbtc_burn";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tgbtc_burn";
        });
        TgbtcBurnFallbackAction: {
            details: components["schemas"]["ActionDetailsTgbtcBurn"];
            /** @constant */
            type: "tgbtc_burn_fallback";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tgbtc_burn_fallback";
        });
        TgbtcDkgLogFallbackAction: {
            details: components["schemas"]["ActionDetailsDkgLogFallback"];
            /** @constant */
            type: "tgbtc_dkg_log_fallback";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tgbtc_dkg_log_fallback";
        });
        TgbtcMintAction: {
            details: components["schemas"]["ActionDetailsTgbtcMint"];
            /** @constant */
            type: "tgbtc_mint";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tgbtc_mint";
        });
        TgbtcMintFallbackAction: {
            details: components["schemas"]["ActionDetailsTgbtcMint"];
            /** @constant */
            type: "tgbtc_mint_fallback";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tgbtc_mint_fallback";
        });
        TgbtcNewKeyAction: {
            details: components["schemas"]["ActionDetailsTgbtcNewKey"];
            /** @constant */
            type: "tgbtc_new_key";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tgbtc_new_key";
        });
        TgbtcNewKeyFallbackAction: {
            details: components["schemas"]["ActionDetailsTgbtcNewKey"];
            /** @constant */
            type: "tgbtc_new_key_fallback";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tgbtc_new_key_fallback";
        });
        TickTockAction: {
            details: components["schemas"]["ActionDetailsTickTock"];
            /** @constant */
            type: "tick_tock";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tick_tock";
        });
        TokenInfo: {
            description?: string;
            extra?: {
                [key: string]: unknown;
            };
            image?: string;
            is_nsfw?: boolean;
            is_scam?: boolean;
            name?: string;
            /** @description NFT items only, decimal. */
            nft_index?: string;
            symbol?: string;
            /** @enum {string} */
            type: "nft_items" | "nft_collections" | "jetton_masters" | "jetton_wallets";
            /** @description Absent until it was fetched. */
            valid?: boolean;
        };
        ToncoDeployPoolAction: {
            details: components["schemas"]["ActionDetailsToncoDeployPool"];
            /** @constant */
            type: "tonco_deploy_pool";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tonco_deploy_pool";
        });
        TonTransferAction: {
            details: components["schemas"]["ActionDetailsTonTransfer"];
            /** @constant */
            type: "ton_transfer";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ton_transfer";
        });
        Trace: {
            /** @description Ordered by start; with `include_actions`. */
            actions?: components["schemas"]["Action"][];
            end_lt: string;
            end_utime: number;
            /** @description Hash of the external message that started the trace. */
            external_hash: string | null;
            /** @description True if the trace is too large to show its transactions, or emulation stopped early. */
            is_incomplete: boolean;
            mc_seqno_end: string;
            mc_seqno_start: string;
            start_lt: string;
            start_utime: number;
            trace?: components["schemas"]["TraceNode"];
            /** @description Hash of the first transaction; null while that is predicted. */
            trace_id: string | null;
            trace_info: components["schemas"]["TraceMeta"];
            transactions?: {
                [key: string]: components["schemas"]["Transaction"];
            };
            transactions_order?: string[];
            warning?: string;
        };
        TraceMeta: {
            /** @enum {string} */
            classification_state: "unclassified" | "ok" | "failed";
            messages: number;
            pending_messages: number;
            /** @enum {string} */
            trace_state: "complete" | "pending";
            transactions: number;
        };
        TraceNode: {
            /** @description Null if messages were sent and none of them led to a transaction. */
            children: components["schemas"]["TraceNode"][] | null;
            /** @description Absent if no message came in. */
            in_msg_hash?: string;
            tx_hash: string;
        };
        TracesRequest: {
            /** @description An account with a transaction in the trace. */
            account?: string;
            /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
            cursor?: string;
            /** @description Last logical time at or below this. */
            end_lt?: number | string;
            /** @description End time at or before this unix time. */
            end_utime?: number;
            /** @description Include the actions of each trace. Default: `false`. */
            include_actions?: boolean;
            /** @description Rows to return. Default: `10`. */
            limit?: number;
            /** @description Seqno of the masterchain block in which the trace ended. */
            mc_seqno?: number;
            /** @description Hashes of messages in the trace, normalized or not. */
            msg_hash?: string[];
            /** @description Rows to skip. Default: `0`. */
            offset?: number;
            /**
             * @description Sort direction. Default: `"desc"`.
             * @enum {string}
             */
            sort?: "asc" | "desc";
            /** @description Last logical time at or above this. */
            start_lt?: number | string;
            /** @description End time at or after this unix time. */
            start_utime?: number;
            /** @description Action types that the client supports, or names of sets of them: `v1` to `v5`, `latest`, `staking`, `nft` and so on. The types of `v1` are always included. An action that is part of a supported action is left out. The header `X-Actions-Version` overrides this parameter. */
            supported_action_types?: string[];
            /** @description Trace ids. */
            trace_id?: string[];
            /** @description Hashes of transactions in the trace. */
            tx_hash?: string[];
        };
        TracesResponse: {
            address_book: components["schemas"]["AddressBook"];
            metadata: components["schemas"]["Metadata"];
            traces: components["schemas"]["Trace"][];
        };
        Transaction: {
            account: string;
            account_state_after: components["schemas"]["AccountState"];
            account_state_before: components["schemas"]["AccountState"];
            block_ref: components["schemas"]["BlockId"];
            description: components["schemas"]["TransactionDescr"];
            emulated: boolean;
            end_status: components["schemas"]["AccountStatus"];
            finality: components["schemas"]["FinalityState"];
            hash: string;
            in_msg: components["schemas"]["Message"] | null;
            lt: string;
            /** @description The masterchain block that committed the transaction. */
            mc_block_seqno: number;
            now: number;
            orig_status: components["schemas"]["AccountStatus"];
            out_msgs: components["schemas"]["Message"][];
            prev_trans_hash: string;
            prev_trans_lt: string;
            total_fees: string;
            total_fees_extra_currencies: {
                [key: string]: string;
            };
            /** @description Hash of the external message that started the trace; pending transactions only. */
            trace_external_hash?: string;
            /** @description Hash of the first transaction of the trace. */
            trace_id?: string;
        };
        TransactionDescr: {
            aborted?: boolean;
            action?: components["schemas"]["ActionPhase"];
            bounce?: components["schemas"]["BouncePhase"];
            compute_ph?: components["schemas"]["ComputePhase"];
            credit_first?: boolean;
            credit_ph?: components["schemas"]["CreditPhase"];
            destroyed?: boolean;
            installed?: boolean;
            is_tock?: boolean;
            split_info?: components["schemas"]["SplitInfo"];
            storage_ph?: components["schemas"]["StoragePhase"];
            /** @enum {string} */
            type: "ord" | "storage" | "tick_tock" | "split_prepare" | "split_install" | "merge_prepare" | "merge_install";
        };
        TransactionsByMessageRequest: {
            /** @description Account addresses. */
            account?: string[];
            /** @description Hash of the body. */
            body_hash?: string;
            /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
            cursor?: string;
            /** @description Receiver; `null` or `addr_none` for messages to outside the chain. */
            destination?: string;
            /**
             * @description Transactions that received the message (`in`) or sent it (`out`).
             * @enum {string}
             */
            direction?: "in" | "out";
            /** @description Logical time at or below this. */
            end_lt?: number | string;
            /** @description Transaction time at or before this unix time. */
            end_utime?: number;
            /** @description Accounts to leave out. */
            exclude_account?: string[];
            /** @description Ignored. */
            exclude_externals?: boolean;
            /** @description Ignored. */
            file_hash?: string;
            /** @description Transaction hashes. */
            hash?: string[];
            /** @description Rows to return. Default: `10`. */
            limit?: number;
            /** @description Logical time. */
            lt?: number | string;
            /** @description Seqno of the masterchain block that committed the transaction. */
            mc_seqno?: number;
            /** @description Message hashes, normalized or not. */
            msg_hash?: string[];
            /** @description Rows to skip. Default: `0`. */
            offset?: number;
            /** @description Ignored. */
            only_externals?: boolean;
            /** @description First 32 bits of the body. */
            opcode?: string;
            /** @description Ignored. */
            root_hash?: string;
            /** @description Seqno of the block in its shard. */
            seqno?: number;
            /** @description Shard of the block, as hex or signed decimal. */
            shard?: string;
            /**
             * @description Sort direction. Default: `"desc"`.
             * @enum {string}
             */
            sort?: "asc" | "desc";
            /** @description Sender; `null` or `addr_none` for external messages. */
            source?: string;
            /** @description Logical time at or above this. */
            start_lt?: number | string;
            /** @description Transaction time at or after this unix time. */
            start_utime?: number;
            /** @description Workchain of the block. */
            workchain?: number;
        };
        TransactionsRequest: {
            /** @description Account addresses. */
            account?: string[];
            /** @description Hash of the body. */
            body_hash?: string;
            /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
            cursor?: string;
            /** @description Receiver; `null` or `addr_none` for messages to outside the chain. */
            destination?: string;
            /**
             * @description Transactions that received the message (`in`) or sent it (`out`).
             * @enum {string}
             */
            direction?: "in" | "out";
            /** @description Logical time at or below this. */
            end_lt?: number | string;
            /** @description Transaction time at or before this unix time. */
            end_utime?: number;
            /** @description Accounts to leave out. */
            exclude_account?: string[];
            /** @description Ignored. */
            file_hash?: string;
            /** @description Transaction hashes. */
            hash?: string[];
            /** @description Rows to return. Default: `10`. */
            limit?: number;
            /** @description Logical time. */
            lt?: number | string;
            /** @description Seqno of the masterchain block that committed the transaction. */
            mc_seqno?: number;
            /** @description Message hashes, normalized or not. */
            msg_hash?: string[];
            /** @description Rows to skip. Default: `0`. */
            offset?: number;
            /** @description First 32 bits of the body. */
            opcode?: string;
            /** @description Ignored. */
            root_hash?: string;
            /** @description Seqno of the block in its shard. */
            seqno?: number;
            /** @description Shard of the block, as hex or signed decimal. */
            shard?: string;
            /**
             * @description Sort direction. Default: `"desc"`.
             * @enum {string}
             */
            sort?: "asc" | "desc";
            /** @description Sender; `null` or `addr_none` for external messages. */
            source?: string;
            /** @description Logical time at or above this. */
            start_lt?: number | string;
            /** @description Transaction time at or after this unix time. */
            start_utime?: number;
            /** @description Workchain of the block. */
            workchain?: number;
        };
        TransactionsResponse: {
            address_book: components["schemas"]["AddressBook"];
            transactions: components["schemas"]["Transaction"][];
        };
        UnknownAction: {
            details: components["schemas"]["ActionDetailsUnsupported"];
            raw_action: components["schemas"]["RawAction"];
            /** @constant */
            type: "unknown";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "unknown";
        });
        UnsubscribeAction: {
            details: components["schemas"]["ActionDetailsUnsubscribe"];
            /** @constant */
            type: "unsubscribe";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "unsubscribe";
        });
        V2AddressInformation: {
            /** @description Nanotons. */
            balance: string;
            /** @description Also null when it is not indexed yet. */
            code: string | null;
            /** @description Also null when it is not indexed yet. */
            data: string | null;
            /** @description Only with `use_v2`. */
            frozen_hash: string | null;
            last_transaction_hash: string;
            last_transaction_lt: string;
            status: string;
        };
        V2EstimatedFee: {
            fwd_fee: number;
            gas_fee: number;
            in_fwd_fee: number;
            storage_fee: number;
        };
        V2EstimateFeeRequest: {
            /** @description Account that receives the message. */
            address: string;
            /** @description Body of the message as a bag of cells in base64. */
            body: string;
            /** @description Whether every signature check succeeds. Default: `false`. */
            ignore_chksig?: boolean;
            /** @description Code of the contract to deploy, as a bag of cells in base64. */
            init_code?: string;
            /** @description Data of the contract to deploy; only used together with init_code. */
            init_data?: string;
        };
        V2EstimateFeeResult: {
            destination_fees: components["schemas"]["V2EstimatedFee"][];
            source_fees: components["schemas"]["V2EstimatedFee"];
        };
        V2RunGetMethodRequest: {
            /** @description Contract to run the get-method of. */
            address: string;
            /** @description Name of the get-method; a numeric string (`"85143"`, `"0x14c97"`) is an id. */
            method: string;
            /** @description Arguments, the last one on top. */
            stack?: components["schemas"]["V2StackEntityInput"][];
        };
        V2RunGetMethodResult: {
            exit_code: number;
            gas_used: number;
            stack: components["schemas"]["V2StackEntity"][];
        };
        V2SendMessageRequest: {
            /** @description External message as a bag of cells in base64. */
            boc: string;
        };
        V2SendMessageResult: {
            message_hash: string;
            message_hash_norm: string;
        };
        V2StackEntity: {
            /** @enum {string} */
            type: "num" | "cell" | "slice";
            /** @description A number in hex (`0x…`, `-0x…`), or a bag of cells in base64. */
            value: string;
        } | {
            /** @enum {string} */
            type: "tuple" | "list";
            value: components["schemas"]["V2StackEntity"][];
        };
        V2StackEntityInput: {
            /** @enum {string} */
            type: "num" | "cell" | "slice";
            /** @description A number (decimal or `0x…` hex, as text or number), or a bag of cells in base64. */
            value: unknown;
        };
        V2WalletInformation: {
            /** @description Nanotons. */
            balance: string;
            last_transaction_hash: string;
            last_transaction_lt: string;
            seqno?: number;
            status: string;
            wallet_id?: number;
            wallet_type?: string;
        };
        ValidatorComplaint: {
            /** @description Null for a key that is not in the set. */
            adnl_addr: string | null;
            approved_percent: number;
            complaint_hash: string;
            created_at: number;
            cycle_start: number;
            /** @description Bag of cells in base64; empty if there is nothing in it. */
            description_boc: string;
            election_id: number;
            is_passed: boolean;
            paid: string;
            reward_address: string;
            severity: number;
            stake_holder_address?: string;
            suggested_fine: string;
            /** @description In 1/2^32 of the stake. */
            suggested_fine_part: number;
            /** @description Of the accused. */
            validator_pubkey: string;
            voted_validators: components["schemas"]["ValidatorComplaintVote"][];
            /** @description Hash of the voting set; zeros without votes. */
            vset_id: string;
            /** @description Still needed; negative when the complaint has passed. */
            weight_remaining: string;
        };
        ValidatorComplaintsResponse: {
            address_book: components["schemas"]["AddressBook"];
            complaints: components["schemas"]["ValidatorComplaint"][];
        };
        ValidatorComplaintVote: {
            adnl_addr?: string;
            /** @description Its place in the voting set. */
            validator_index: number;
            /** @description Absent if the voting set is not known. */
            validator_pubkey?: string;
            weight?: string;
        };
        ValidatorCycle: {
            cycle_end: number;
            cycle_start: number;
            /** @description Absent if the elector was not seen with its election. */
            election_id?: number;
            elections_end_before: number;
            elections_start_before: number;
            main: number;
            max_main_validators: number;
            max_stake?: string;
            /** @description 65536 is 1. */
            max_stake_factor: number;
            max_stake_limit: string;
            max_validators: number;
            /** @description The least stake; absent unless the stakes of all validators are known. */
            min_stake?: string;
            min_stake_limit: string;
            min_total_stake: string;
            min_validators: number;
            stake_held_for: number;
            total: number;
            total_stake?: string;
            total_weight: string;
            /** @description Absent if there are none. */
            validators?: components["schemas"]["ValidatorCycleValidator"][];
            validators_elected_for: number;
        };
        ValidatorCyclesResponse: {
            address_book: components["schemas"]["AddressBook"];
            cycles: components["schemas"]["ValidatorCycle"][];
        };
        ValidatorCycleValidator: {
            adnl_addr: string;
            /** @description The newest first. */
            complaints: components["schemas"]["ValidatorComplaint"][];
            /** @description As declared; 65536 is 1. */
            max_factor?: number;
            /** @description What was taken from the stake holder. */
            stake?: string;
            stake_holder_address?: string;
            validator_index: number;
            validator_pubkey: string;
            weight: string;
        };
        ValidatorElection: {
            elect_close: number;
            /** @description When the elected set starts. */
            election_id: number;
            failed: boolean;
            finished: boolean;
            min_stake: string;
            /** @description Greatest stakes first. Absent if there are none. */
            participants?: components["schemas"]["ValidatorElectionParticipant"][];
            /** @description All candidates that were ever seen. */
            total_participants: number;
            total_stake: string;
        };
        ValidatorElectionParticipant: {
            adnl_addr: string;
            /** @description 65536 is 1. */
            max_factor: number;
            stake: string;
            stake_holder_address: string;
            /** @description Its place in the elected set. */
            validator_index?: number;
            validator_pubkey: string;
        };
        ValidatorElectionsResponse: {
            address_book: components["schemas"]["AddressBook"];
            elections: components["schemas"]["ValidatorElection"][];
        };
        ValidatorEvent: {
            adnl_addr?: string;
            amount: string;
            election_id?: number;
            query_id?: string;
            /** @description Why a stake was rejected: 0 no open election or sender not in the masterchain, 1 bad signature, 2 less than 1/4096 of the total, 3 another election, 4 key staked by another address, 5 below the minimum, 6 factor below 1. */
            reason?: number;
            /** @description Who sent or received the stake. */
            stake_holder_address: string;
            tx_hash: string;
            tx_lt: string;
            /** @enum {string} */
            type: "stake_accepted" | "stake_rejected" | "recover_requested" | "stake_recovered" | "recover_failed";
            utime: number;
            /** @description Of stakes that were accepted or rejected. */
            validator_pubkey?: string;
        };
        ValidatorEventsResponse: {
            address_book: components["schemas"]["AddressBook"];
            end_utime?: number;
            events: components["schemas"]["ValidatorEvent"][];
            start_utime?: number;
        };
        VestingAddWhitelistAction: {
            details: components["schemas"]["ActionDetailsVestingAddWhitelist"];
            /** @constant */
            type: "vesting_add_whitelist";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "vesting_add_whitelist";
        });
        VestingContractsResponse: {
            address_book: components["schemas"]["AddressBook"];
            vesting_contracts: components["schemas"]["VestingInfo"][];
        };
        VestingInfo: {
            address: string;
            cliff_duration: number;
            owner_address: string;
            sender_address: string;
            start_time: number;
            total_amount: string;
            total_duration: number;
            unlock_period: number;
            /** @description Addresses that may be paid at any time. */
            whitelist: string[];
        };
        VestingRequest: {
            /** @description Also contracts that have `wallet_address` in their whitelist. Default: `false`. */
            check_whitelist?: boolean;
            /** @description Vesting contract addresses. */
            contract_address?: string[];
            /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
            cursor?: string;
            /** @description Rows to return. Default: `10`. */
            limit?: number;
            /** @description Rows to skip. Default: `0`. */
            offset?: number;
            /** @description Vesting contracts with one of these as owner or sender. */
            wallet_address?: string[];
        };
        VestingSendMessageAction: {
            details: components["schemas"]["ActionDetailsVestingSendMessage"];
            /** @constant */
            type: "vesting_send_message";
        } & (components["schemas"]["ActionBase"] & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "vesting_send_message";
        });
        WalletState: {
            address: string;
            /** @description Nanotons. */
            balance: string;
            code_hash?: string;
            extra_currencies?: {
                [key: string]: string;
            };
            /** @description Wallets v5 only. */
            is_signature_allowed?: boolean;
            is_wallet: boolean;
            last_transaction_hash: string;
            last_transaction_lt: string;
            seqno?: number;
            status: components["schemas"]["AccountStatus"];
            wallet_id?: number;
            wallet_type?: string;
        };
        WalletStatesRequest: {
            /** @description Account addresses. */
            address: string[];
            /** @description Only accounts with one of these code hashes. */
            code_hash?: string[];
        };
        WalletStatesResponse: {
            address_book: components["schemas"]["AddressBook"];
            metadata: components["schemas"]["Metadata"];
            wallets: components["schemas"]["WalletState"][];
        };
    };
    responses: {
        /** @description The URL or the request cannot be read */
        Error400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description API key does not exist */
        Error401: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Network not allowed */
        Error403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The path has no such method; see Allow */
        Error405: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than the text says */
        Error413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The URL is longer than the text says */
        Error414: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A parameter is missing or malformed; the text names it */
        Error422: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Ratelimit exceeded; see Retry-After */
        Error429: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The headers are larger than the text says */
        Error431: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Unexpected error */
        Error500: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Overloaded, or a part the operation needs is not available; see Retry-After */
        Error503: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The time allowed for the request is over */
        Error504: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    __testMethod_get: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Addresses: raw or friendly. */
                my_addr?: string[];
                /** @description Hashes: hex, 0x hex, base64 or base64url. */
                my_hash?: string[];
                /** @description Shards: hex or signed decimal. */
                my_shard?: string[];
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestRequestEcho"];
                };
            };
        };
    };
    __testMethod_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["__testMethodRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestRequestEcho"];
                };
            };
        };
    };
    account_get: {
        parameters: {
            query: {
                /** @description Account to look up. */
                address: string;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Reads from a lite server instead of the index; statuses have their v2 names then. */
                use_v2?: boolean;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V2AddressInformation"];
                };
            };
        };
    };
    accountStates_get: {
        parameters: {
            query: {
                /** @description Account addresses. */
                address: string[];
                /** @description Only accounts with one of these code hashes. */
                code_hash?: string[];
                /** @description Include code and data. */
                include_boc?: boolean;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountStatesResponse"];
                };
            };
        };
    };
    accountStates_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountStatesRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountStatesResponse"];
                };
            };
        };
    };
    actions_get: {
        parameters: {
            query?: {
                /** @description An account that takes part in the action. */
                account?: string;
                /** @description Action ids. */
                action_id?: string[];
                /** @description Action types. */
                action_type?: string[];
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description Last logical time of the trace at or below this. */
                end_lt?: number | string;
                /** @description End time of the trace at or before this unix time. */
                end_utime?: number;
                /** @description Action types to leave out. */
                exclude_action_type?: string[];
                /** @description Include the accounts of each action. */
                include_accounts?: boolean;
                /** @description Include the transactions of each action. */
                include_transactions?: boolean;
                /** @description Rows to return. */
                limit?: number;
                /** @description Seqno of the masterchain block in which the trace ended. */
                mc_seqno?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Hashes of messages of its transactions, normalized or not. */
                msg_hash?: string[];
                /** @description Rows to skip. */
                offset?: number;
                /** @description Sort direction. */
                sort?: "asc" | "desc";
                /** @description Last logical time of the trace at or above this. */
                start_lt?: number | string;
                /** @description End time of the trace at or after this unix time. */
                start_utime?: number;
                /** @description Action types that the client supports, or names of sets of them: `v1` to `v5`, `latest`, `staking`, `nft` and so on. The types of `v1` are always included. An action that is part of a supported action is left out. The header `X-Actions-Version` overrides this parameter. */
                supported_action_types?: string[];
                /** @description Trace ids. */
                trace_id?: string[];
                /** @description Hashes of transactions in the action. */
                tx_hash?: string[];
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionsResponse"];
                };
            };
        };
    };
    actions_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ActionsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionsResponse"];
                };
            };
        };
    };
    addressBook_get: {
        parameters: {
            query: {
                /** @description Addresses in any form; repeat the name for several. */
                address: string[];
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddressBook"];
                };
            };
        };
    };
    addressBook_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddressBookRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddressBook"];
                };
            };
        };
    };
    addressInformation_get: {
        parameters: {
            query: {
                /** @description Account to look up. */
                address: string;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Reads from a lite server instead of the index; statuses have their v2 names then. */
                use_v2?: boolean;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V2AddressInformation"];
                };
            };
        };
    };
    adjacentTransactions_get: {
        parameters: {
            query: {
                /** @description Only the sender of the in message (`in`), or only the receivers of the out messages (`out`). */
                direction?: "in" | "out";
                /** @description Transaction hash. */
                hash: string;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionsResponse"];
                };
            };
        };
    };
    balanceChanges_get: {
        parameters: {
            query?: {
                /** @description Action id; of that trace if `trace_id` is given too. */
                action_id?: string;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Trace id. */
                trace_id?: string;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceChangesResult"];
                };
            };
        };
    };
    blocks_get: {
        parameters: {
            query?: {
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description Start lt at or below this. */
                end_lt?: number | string;
                /** @description Block time at or before this unix time. */
                end_utime?: number;
                /** @description File hash. */
                file_hash?: string;
                /** @description Rows to return. */
                limit?: number;
                /** @description Seqno of the masterchain block that committed the block. */
                mc_seqno?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Rows to skip. */
                offset?: number;
                /** @description Root hash. */
                root_hash?: string;
                /** @description Seqno of the block in its shard. */
                seqno?: number;
                /** @description Shard, as hex or signed decimal. */
                shard?: string;
                /** @description Sort direction. */
                sort?: "asc" | "desc";
                /** @description Start lt at or above this. */
                start_lt?: number | string;
                /** @description Block time at or after this unix time. */
                start_utime?: number;
                /** @description Workchain. */
                workchain?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlocksResponse"];
                };
            };
        };
    };
    decode_get: {
        parameters: {
            query?: {
                /** @description Message bodies as bags of cells in base64 or hex. */
                bodies?: string[];
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Opcodes: hex with or without 0x, or decimal if the text is not 32-bit hex. */
                opcodes?: string[];
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecodeResponse"];
                };
            };
        };
    };
    decode_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DecodeRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecodeResponse"];
                };
            };
        };
    };
    dnsActiveAuctions_get: {
        parameters: {
            query: {
                /** @description Where the page starts: `next_cursor` of the previous page. */
                after?: string;
                /** @description The highest bidder. */
                bidder: string;
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description Also the NFT items of the domains. */
                include_nft_items?: boolean;
                /** @description Rows to return. */
                limit?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Rows to skip. */
                offset?: number;
                /** @description Has no effect. */
                sort?: "asc" | "desc";
                /** @description Auctions that have ended and are not claimed (`won`), open ones (`bidding`), or all. */
                state?: "all" | "won" | "bidding";
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DNSAuctionsResponse"];
                };
            };
        };
    };
    dnsRecords_get: {
        parameters: {
            query?: {
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description The domain with this name, such as `alice.ton`. */
                domain?: string;
                /** @description Rows to return. */
                limit?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Rows to skip. */
                offset?: number;
                /** @description Domains that resolve to this wallet; `addr_none` counts as absent. */
                wallet?: string;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DNSRecordsResponse"];
                };
            };
        };
    };
    estimateFee_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["V2EstimateFeeRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V2EstimateFeeResult"];
                };
            };
        };
    };
    events_get: {
        parameters: {
            query?: {
                /** @description An account with a transaction in the trace. */
                account?: string;
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description Last logical time at or below this. */
                end_lt?: number | string;
                /** @description End time at or before this unix time. */
                end_utime?: number;
                /** @description Include the actions of each trace. */
                include_actions?: boolean;
                /** @description Rows to return. */
                limit?: number;
                /** @description Seqno of the masterchain block in which the trace ended. */
                mc_seqno?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Hashes of messages in the trace, normalized or not. */
                msg_hash?: string[];
                /** @description Rows to skip. */
                offset?: number;
                /** @description Sort direction. */
                sort?: "asc" | "desc";
                /** @description Last logical time at or above this. */
                start_lt?: number | string;
                /** @description End time at or after this unix time. */
                start_utime?: number;
                /** @description Action types that the client supports, or names of sets of them: `v1` to `v5`, `latest`, `staking`, `nft` and so on. The types of `v1` are always included. An action that is part of a supported action is left out. The header `X-Actions-Version` overrides this parameter. */
                supported_action_types?: string[];
                /** @description Trace ids. */
                trace_id?: string[];
                /** @description Hashes of transactions in the trace. */
                tx_hash?: string[];
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeprecatedEventsResponse"];
                };
            };
        };
    };
    events_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EventsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeprecatedEventsResponse"];
                };
            };
        };
    };
    jettonBurns_get: {
        parameters: {
            query?: {
                /** @description Older name of `owner_address`, used if that is absent. */
                address?: string[];
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description Logical time at or below this. */
                end_lt?: number | string;
                /** @description Transaction time (the list is then ordered by it) at or before this unix time. */
                end_utime?: number;
                /** @description Burns of this jetton. */
                jetton_master?: string;
                /** @description Burns requested from these jetton wallets. */
                jetton_wallet?: string[];
                /** @description Rows to return. */
                limit?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Rows to skip. */
                offset?: number;
                /** @description Burns by these owners. */
                owner_address?: string[];
                /** @description Sort direction. */
                sort?: "asc" | "desc";
                /** @description Logical time at or above this. */
                start_lt?: number | string;
                /** @description Transaction time (the list is then ordered by it) at or after this unix time. */
                start_utime?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JettonBurnsResponse"];
                };
            };
        };
    };
    jettonBurns_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["JettonBurnsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JettonBurnsResponse"];
                };
            };
        };
    };
    jettonMasters_get: {
        parameters: {
            query?: {
                /** @description Jetton master addresses. */
                address?: string[];
                /** @description Jettons with one of these admin addresses. */
                admin_address?: string[];
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description Rows to return. */
                limit?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Rows to skip. */
                offset?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JettonMastersResponse"];
                };
            };
        };
    };
    jettonMasters_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["JettonMastersRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JettonMastersResponse"];
                };
            };
        };
    };
    jettonTransfers_get: {
        parameters: {
            query?: {
                /** @description Older name of `owner_address`, used if that is absent. */
                address?: string[];
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description Transfers to `owner_address` (`in`), from it (`out`), or both. */
                direction?: "in" | "out" | "both";
                /** @description Logical time at or below this. */
                end_lt?: number | string;
                /** @description Transaction time (the list is then ordered by it) at or before this unix time. */
                end_utime?: number;
                /** @description Transfers of this jetton. */
                jetton_master?: string;
                /** @description Transfers requested from these jetton wallets. */
                jetton_wallet?: string[];
                /** @description Rows to return. */
                limit?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Rows to skip. */
                offset?: number;
                /** @description Transfers from or to these owners. */
                owner_address?: string[];
                /** @description Sort direction. */
                sort?: "asc" | "desc";
                /** @description Logical time at or above this. */
                start_lt?: number | string;
                /** @description Transaction time (the list is then ordered by it) at or after this unix time. */
                start_utime?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JettonTransfersResponse"];
                };
            };
        };
    };
    jettonTransfers_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["JettonTransfersRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JettonTransfersResponse"];
                };
            };
        };
    };
    jettonWallets_get: {
        parameters: {
            query?: {
                /** @description Jetton wallet addresses. */
                address?: string[];
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description Leave out wallets that have no jettons and no airdrop to claim. */
                exclude_zero_balance?: boolean;
                /** @description Wallets of these jettons; several jettons need exactly one owner. */
                jetton_address?: string[];
                /** @description Rows to return. */
                limit?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Rows to skip. */
                offset?: number;
                /** @description Jetton wallets of these owners. */
                owner_address?: string[];
                /** @description Sort by balance, in this direction. */
                sort?: "asc" | "desc";
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JettonWalletsResponse"];
                };
            };
        };
    };
    jettonWallets_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["JettonWalletsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JettonWalletsResponse"];
                };
            };
        };
    };
    masterchainBlockShards_get: {
        parameters: {
            query: {
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description Rows to return. */
                limit?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Rows to skip. */
                offset?: number;
                /** @description Seqno of the masterchain block. */
                seqno: number;
                /** @description Sort direction. */
                sort?: "asc" | "desc";
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlocksResponse"];
                };
            };
        };
    };
    masterchainBlockShardState_get: {
        parameters: {
            query: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Seqno of the masterchain block. */
                seqno: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlocksResponse"];
                };
            };
        };
    };
    masterchainInfo_get: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MasterchainInfo"];
                };
            };
        };
    };
    message_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["V2SendMessageRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V2SendMessageResult"];
                };
            };
        };
    };
    messages_get: {
        parameters: {
            query?: {
                /** @description Hash of the body. */
                body_hash?: string;
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description Receiver; `null` or `addr_none` for messages to outside the chain. */
                destination?: string;
                /** @description Only received messages (`in`) or only sent messages (`out`), with the transaction on that side. */
                direction?: "in" | "out";
                /** @description Logical time of creation at or below this. */
                end_lt?: number | string;
                /** @description Time of creation at or before this unix time. */
                end_utime?: number;
                /** @description Exclude external messages. */
                exclude_externals?: boolean;
                /** @description Older name of `msg_hash`; only one of the two can be given. */
                hash?: string[];
                /** @description Rows to return. */
                limit?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Message hashes, normalized or not. */
                msg_hash?: string[];
                /** @description Rows to skip. */
                offset?: number;
                /** @description Only external messages. */
                only_externals?: boolean;
                /** @description First 32 bits of the body. */
                opcode?: string;
                /** @description Sort direction. */
                sort?: "asc" | "desc";
                /** @description Sender; `null` or `addr_none` for external messages. */
                source?: string;
                /** @description Logical time of creation at or above this. */
                start_lt?: number | string;
                /** @description Time of creation at or after this unix time. */
                start_utime?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagesResponse"];
                };
            };
        };
    };
    messages_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MessagesRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagesResponse"];
                };
            };
        };
    };
    metadata_get: {
        parameters: {
            query: {
                /** @description Addresses in any form; repeat the name or use commas for several. */
                address: string[];
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Metadata"];
                };
            };
        };
    };
    metadata_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MetadataRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Metadata"];
                };
            };
        };
    };
    multisigOrders_get: {
        parameters: {
            query?: {
                /** @description Order addresses. */
                address?: string[];
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description Rows to return. */
                limit?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Orders of these multisig wallets. */
                multisig_address?: string[];
                /** @description Rows to skip. */
                offset?: number;
                /** @description Parse the actions of the orders. */
                parse_actions?: boolean;
                /** @description Sort direction. */
                sort?: "asc" | "desc";
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MultisigOrderResponse"];
                };
            };
        };
    };
    multisigOrders_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MultisigOrdersRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MultisigOrderResponse"];
                };
            };
        };
    };
    multisigWallets_get: {
        parameters: {
            query?: {
                /** @description Multisig wallet addresses. */
                address?: string[];
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description Include the orders of the wallets. */
                include_orders?: boolean;
                /** @description Rows to return. */
                limit?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Rows to skip. */
                offset?: number;
                /** @description Sort direction. */
                sort?: "asc" | "desc";
                /** @description Multisig wallets with one of these as signer or proposer. */
                wallet_address?: string[];
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MultisigResponse"];
                };
            };
        };
    };
    multisigWallets_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MultisigWalletsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MultisigResponse"];
                };
            };
        };
    };
    nftCollections_get: {
        parameters: {
            query?: {
                /** @description Collection addresses. */
                collection_address?: string[];
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description Rows to return. */
                limit?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Rows to skip. */
                offset?: number;
                /** @description Collections of these owners. */
                owner_address?: string[];
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NFTCollectionsResponse"];
                };
            };
        };
    };
    nftCollections_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NftCollectionsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NFTCollectionsResponse"];
                };
            };
        };
    };
    nftItems_get: {
        parameters: {
            query?: {
                /** @description NFT item addresses. */
                address?: string[];
                /** @description Items of these collections; several collections need exactly one owner. */
                collection_address?: string[];
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description Count items on sale as the seller's. Only with `owner_address`. */
                include_on_sale?: boolean;
                /** @description Indexes of items in the collection; repeat the name for several. */
                index?: string[];
                /** @description Rows to return. */
                limit?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Rows to skip. */
                offset?: number;
                /** @description Items of these owners. */
                owner_address?: string[];
                /** @description Order by last transaction, the newest first. */
                sort_by_last_transaction_lt?: boolean;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NFTItemsResponse"];
                };
            };
        };
    };
    nftItems_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NftItemsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NFTItemsResponse"];
                };
            };
        };
    };
    nftSales_get: {
        parameters: {
            query: {
                /** @description Addresses of sale and auction contracts. */
                address: string[];
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NFTSalesResponse"];
                };
            };
        };
    };
    nftSales_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NftSalesRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NFTSalesResponse"];
                };
            };
        };
    };
    nftTransfers_get: {
        parameters: {
            query?: {
                /** @description Older name of `owner_address`, used if that is absent. */
                address?: string[];
                /** @description Transfers of items of this collection. */
                collection_address?: string;
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description Transfers to `owner_address` (`in`), from it (`out`), or both. */
                direction?: "in" | "out" | "both";
                /** @description Logical time at or below this. */
                end_lt?: number | string;
                /** @description Transaction time (the list is then ordered by it) at or before this unix time. */
                end_utime?: number;
                /** @description Transfers of these items. */
                item_address?: string[];
                /** @description Rows to return. */
                limit?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Rows to skip. */
                offset?: number;
                /** @description Transfers from or to these owners. */
                owner_address?: string[];
                /** @description Sort direction. */
                sort?: "asc" | "desc";
                /** @description Logical time at or above this. */
                start_lt?: number | string;
                /** @description Transaction time (the list is then ordered by it) at or after this unix time. */
                start_utime?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NFTTransfersResponse"];
                };
            };
        };
    };
    nftTransfers_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NftTransfersRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NFTTransfersResponse"];
                };
            };
        };
    };
    pendingActions_get: {
        parameters: {
            query?: {
                /** @description An account that takes part in the trace. */
                account?: string;
                /** @description External message hashes, normalized or not. Ignored if `account` is given. */
                ext_msg_hash?: string[];
                /** @description Include the transactions of each action. */
                include_transactions?: boolean;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Action types that the client supports, or names of sets of them: `v1` to `v5`, `latest`, `staking`, `nft` and so on. The types of `v1` are always included. An action that is part of a supported action is left out. The header `X-Actions-Version` overrides this parameter. */
                supported_action_types?: string[];
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionsResponse"];
                };
            };
        };
    };
    pendingActions_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PendingActionsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionsResponse"];
                };
            };
        };
    };
    pendingTraces_get: {
        parameters: {
            query?: {
                /** @description An account that takes part in the trace. */
                account?: string;
                /** @description External message hashes, normalized or not. Ignored if `account` is given. */
                ext_msg_hash?: string[];
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Action types that the client supports, or names of sets of them: `v1` to `v5`, `latest`, `staking`, `nft` and so on. The types of `v1` are always included. An action that is part of a supported action is left out. The header `X-Actions-Version` overrides this parameter. */
                supported_action_types?: string[];
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingTracesResponse"];
                };
            };
        };
    };
    pendingTraces_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PendingTracesRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingTracesResponse"];
                };
            };
        };
    };
    pendingTransactions_get: {
        parameters: {
            query: {
                /** @description Account addresses. */
                account: string[];
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Trace ids; only a trace with a real transaction has one. */
                trace_id?: string[];
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionsResponse"];
                };
            };
        };
    };
    pendingTransactions_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PendingTransactionsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionsResponse"];
                };
            };
        };
    };
    runGetMethod_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["V2RunGetMethodRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V2RunGetMethodResult"];
                };
            };
        };
    };
    stakingNominatorPoolsNominator_get: {
        parameters: {
            query: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description The nominator. */
                nominator: string;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NominatorPoolsResponse"];
                };
            };
        };
    };
    stakingNominatorPoolsNominatorEvents_get: {
        parameters: {
            query: {
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description Transaction time at or before this unix time. */
                end_utime?: number;
                /** @description Rows to return. */
                limit?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Events of this nominator. */
                nominator?: string;
                /** @description Rows to skip. */
                offset?: number;
                /** @description The pool. */
                pool: string;
                /** @description Transaction time at or after this unix time. */
                start_utime?: number;
                /** @description Events of this kind. */
                type?: "reward" | "deposit" | "withdrawal" | "pending_deposit_activation" | "withdrawal_request";
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NominatorPoolEventsResponse"];
                };
            };
        };
    };
    stakingNominatorPoolsNominatorRewards_get: {
        parameters: {
            query: {
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description Transaction time at or before this unix time. */
                end_utime?: number;
                /** @description Rows to return. */
                limit?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description The nominator. */
                nominator: string;
                /** @description Rows to skip. */
                offset?: number;
                /** @description The pool. */
                pool: string;
                /** @description Transaction time at or after this unix time. */
                start_utime?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NominatorRewardsResponse"];
                };
            };
        };
    };
    stakingNominatorPoolsPool_get: {
        parameters: {
            query: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description The pool. */
                pool: string;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NominatorPoolInfo"];
                };
            };
        };
    };
    stakingNominatorPoolsValidatorEvents_get: {
        parameters: {
            query?: {
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description Transaction time at or before this unix time. */
                end_utime?: number;
                /** @description Rows to return. */
                limit?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Rows to skip. */
                offset?: number;
                /** @description Events in this pool. */
                pool?: string;
                /** @description Transaction time at or after this unix time. */
                start_utime?: number;
                /** @description Events of this kind: `reward`, `penalty`, `deposit` or `withdrawal`. */
                type?: string;
                /** @description Events of this validator; it or `pool` is required. */
                validator?: string;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NominatorPoolValidatorEventsResponse"];
                };
            };
        };
    };
    stakingNominatorPoolsValidatorRewards_get: {
        parameters: {
            query: {
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description Transaction time at or before this unix time. */
                end_utime?: number;
                /** @description Rows to return. */
                limit?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Rows to skip. */
                offset?: number;
                /** @description The pool. */
                pool: string;
                /** @description Transaction time at or after this unix time. */
                start_utime?: number;
                /** @description The validator. */
                validator: string;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NominatorPoolValidatorRewardsResponse"];
                };
            };
        };
    };
    topAccountsByBalance_get: {
        parameters: {
            query?: {
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description Rows to return. */
                limit?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Rows to skip. */
                offset?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountBalance"][];
                };
            };
        };
    };
    traces_get: {
        parameters: {
            query?: {
                /** @description An account with a transaction in the trace. */
                account?: string;
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description Last logical time at or below this. */
                end_lt?: number | string;
                /** @description End time at or before this unix time. */
                end_utime?: number;
                /** @description Include the actions of each trace. */
                include_actions?: boolean;
                /** @description Rows to return. */
                limit?: number;
                /** @description Seqno of the masterchain block in which the trace ended. */
                mc_seqno?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Hashes of messages in the trace, normalized or not. */
                msg_hash?: string[];
                /** @description Rows to skip. */
                offset?: number;
                /** @description Sort direction. */
                sort?: "asc" | "desc";
                /** @description Last logical time at or above this. */
                start_lt?: number | string;
                /** @description End time at or after this unix time. */
                start_utime?: number;
                /** @description Action types that the client supports, or names of sets of them: `v1` to `v5`, `latest`, `staking`, `nft` and so on. The types of `v1` are always included. An action that is part of a supported action is left out. The header `X-Actions-Version` overrides this parameter. */
                supported_action_types?: string[];
                /** @description Trace ids. */
                trace_id?: string[];
                /** @description Hashes of transactions in the trace. */
                tx_hash?: string[];
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TracesResponse"];
                };
            };
        };
    };
    traces_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TracesRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TracesResponse"];
                };
            };
        };
    };
    transactions_get: {
        parameters: {
            query?: {
                /** @description Account addresses. */
                account?: string[];
                /** @description Hash of the body. */
                body_hash?: string;
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description Receiver; `null` or `addr_none` for messages to outside the chain. */
                destination?: string;
                /** @description Transactions that received the message (`in`) or sent it (`out`). */
                direction?: "in" | "out";
                /** @description Logical time at or below this. */
                end_lt?: number | string;
                /** @description Transaction time at or before this unix time. */
                end_utime?: number;
                /** @description Accounts to leave out. */
                exclude_account?: string[];
                /** @description Ignored. */
                file_hash?: string;
                /** @description Transaction hashes. */
                hash?: string[];
                /** @description Rows to return. */
                limit?: number;
                /** @description Logical time. */
                lt?: number | string;
                /** @description Seqno of the masterchain block that committed the transaction. */
                mc_seqno?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Message hashes, normalized or not. */
                msg_hash?: string[];
                /** @description Rows to skip. */
                offset?: number;
                /** @description First 32 bits of the body. */
                opcode?: string;
                /** @description Ignored. */
                root_hash?: string;
                /** @description Seqno of the block in its shard. */
                seqno?: number;
                /** @description Shard of the block, as hex or signed decimal. */
                shard?: string;
                /** @description Sort direction. */
                sort?: "asc" | "desc";
                /** @description Sender; `null` or `addr_none` for external messages. */
                source?: string;
                /** @description Logical time at or above this. */
                start_lt?: number | string;
                /** @description Transaction time at or after this unix time. */
                start_utime?: number;
                /** @description Workchain of the block. */
                workchain?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionsResponse"];
                };
            };
        };
    };
    transactions_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TransactionsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionsResponse"];
                };
            };
        };
    };
    transactionsByMasterchainBlock_get: {
        parameters: {
            query: {
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description Rows to return. */
                limit?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Rows to skip. */
                offset?: number;
                /** @description Seqno of the masterchain block. */
                seqno: number;
                /** @description Sort direction. */
                sort?: "asc" | "desc";
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionsResponse"];
                };
            };
        };
    };
    transactionsByMessage_get: {
        parameters: {
            query?: {
                /** @description Account addresses. */
                account?: string[];
                /** @description Hash of the body. */
                body_hash?: string;
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description Receiver; `null` or `addr_none` for messages to outside the chain. */
                destination?: string;
                /** @description Transactions that received the message (`in`) or sent it (`out`). */
                direction?: "in" | "out";
                /** @description Logical time at or below this. */
                end_lt?: number | string;
                /** @description Transaction time at or before this unix time. */
                end_utime?: number;
                /** @description Accounts to leave out. */
                exclude_account?: string[];
                /** @description Ignored. */
                exclude_externals?: boolean;
                /** @description Ignored. */
                file_hash?: string;
                /** @description Transaction hashes. */
                hash?: string[];
                /** @description Rows to return. */
                limit?: number;
                /** @description Logical time. */
                lt?: number | string;
                /** @description Seqno of the masterchain block that committed the transaction. */
                mc_seqno?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Message hashes, normalized or not. */
                msg_hash?: string[];
                /** @description Rows to skip. */
                offset?: number;
                /** @description Ignored. */
                only_externals?: boolean;
                /** @description First 32 bits of the body. */
                opcode?: string;
                /** @description Ignored. */
                root_hash?: string;
                /** @description Seqno of the block in its shard. */
                seqno?: number;
                /** @description Shard of the block, as hex or signed decimal. */
                shard?: string;
                /** @description Sort direction. */
                sort?: "asc" | "desc";
                /** @description Sender; `null` or `addr_none` for external messages. */
                source?: string;
                /** @description Logical time at or above this. */
                start_lt?: number | string;
                /** @description Transaction time at or after this unix time. */
                start_utime?: number;
                /** @description Workchain of the block. */
                workchain?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionsResponse"];
                };
            };
        };
    };
    transactionsByMessage_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TransactionsByMessageRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionsResponse"];
                };
            };
        };
    };
    validatorsComplaints_get: {
        parameters: {
            query?: {
                /** @description ADNL address of the validator, in hex or base64. */
                adnl_address?: string;
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description Complaints about validators of the cycle with this start. */
                cycle_start?: number;
                /** @description Complaints about validators of this election. */
                election_id?: number;
                /** @description Complaints made at or before this unix time. */
                end_utime?: number;
                /** @description Rows to return. */
                limit?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Rows to skip. */
                offset?: number;
                /** @description Sort direction. */
                sort?: "asc" | "desc";
                /** @description The account that staked. Not together with `adnl_address`. */
                stake_holder_address?: string;
                /** @description Complaints made at or after this unix time. */
                start_utime?: number;
                /** @description Public key of the validator, in hex or base64. */
                validator_pubkey?: string;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidatorComplaintsResponse"];
                };
            };
        };
    };
    validatorsCycles_get: {
        parameters: {
            query?: {
                /** @description ADNL address of the validator, in hex or base64. */
                adnl_address?: string;
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description The cycle with this start. */
                cycle_start?: number;
                /** @description The cycle of this election. */
                election_id?: number;
                /** @description Cycles that start at or before this unix time. */
                end_utime?: number;
                /** @description Rows to return. */
                limit?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Rows to skip. */
                offset?: number;
                /** @description Include validators: those that match the filters. At most 100 rows then. */
                return_validators?: boolean;
                /** @description Sort direction. */
                sort?: "asc" | "desc";
                /** @description The account that staked. Not together with `adnl_address`. */
                stake_holder_address?: string;
                /** @description Cycles that start at or after this unix time. */
                start_utime?: number;
                /** @description Public key of the validator, in hex or base64. */
                validator_pubkey?: string;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidatorCyclesResponse"];
                };
            };
        };
    };
    validatorsElections_get: {
        parameters: {
            query?: {
                /** @description ADNL address of the validator, in hex or base64. */
                adnl_address?: string;
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description The election with this id. */
                election_id?: number;
                /** @description Election ids at or before this unix time. */
                end_utime?: number;
                /** @description Only elections that are finished, or only others. */
                finished?: boolean;
                /** @description Rows to return. */
                limit?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Rows to skip. */
                offset?: number;
                /** @description Include candidates: those that match the filters. At most 100 rows then. */
                return_participants?: boolean;
                /** @description Sort direction. */
                sort?: "asc" | "desc";
                /** @description The account that staked. Not together with `adnl_address`. */
                stake_holder_address?: string;
                /** @description Election ids at or after this unix time. */
                start_utime?: number;
                /** @description Public key of the validator, in hex or base64. */
                validator_pubkey?: string;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidatorElectionsResponse"];
                };
            };
        };
    };
    validatorsEvents_get: {
        parameters: {
            query?: {
                /** @description ADNL address of the validator, in hex or base64. */
                adnl_address?: string;
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description Transactions at or before this unix time. */
                end_utime?: number;
                /** @description Rows to return. */
                limit?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Rows to skip. */
                offset?: number;
                /** @description Sort direction. */
                sort?: "asc" | "desc";
                /** @description The account that staked. Not together with `adnl_address`. */
                stake_holder_address?: string;
                /** @description Transactions at or after this unix time. */
                start_utime?: number;
                /** @description Events of this type. */
                type?: "stake_accepted" | "stake_rejected" | "recover_requested" | "stake_recovered" | "recover_failed";
                /** @description Public key of the validator, in hex or base64. */
                validator_pubkey?: string;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidatorEventsResponse"];
                };
            };
        };
    };
    vesting_get: {
        parameters: {
            query?: {
                /** @description Also contracts that have `wallet_address` in their whitelist. */
                check_whitelist?: boolean;
                /** @description Vesting contract addresses. */
                contract_address?: string[];
                /** @description Where the page starts: `X-Tongate-Next-Cursor` of the previous page, also in its `Link` header. New rows do not shift it. */
                cursor?: string;
                /** @description Rows to return. */
                limit?: number;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Rows to skip. */
                offset?: number;
                /** @description Vesting contracts with one of these as owner or sender. */
                wallet_address?: string[];
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VestingContractsResponse"];
                };
            };
        };
    };
    vesting_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["VestingRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VestingContractsResponse"];
                };
            };
        };
    };
    wallet_get: {
        parameters: {
            query: {
                /** @description Account to look up. */
                address: string;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Reads from a lite server instead of the index; statuses have their v2 names then. */
                use_v2?: boolean;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V2WalletInformation"];
                };
            };
        };
    };
    walletInformation_get: {
        parameters: {
            query: {
                /** @description Account to look up. */
                address: string;
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
                /** @description Reads from a lite server instead of the index; statuses have their v2 names then. */
                use_v2?: boolean;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["V2WalletInformation"];
                };
            };
        };
    };
    walletStates_get: {
        parameters: {
            query: {
                /** @description Account addresses. */
                address: string[];
                /** @description Only accounts with one of these code hashes. */
                code_hash?: string[];
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletStatesResponse"];
                };
            };
        };
    };
    walletStates_post: {
        parameters: {
            query?: {
                /** @description Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has. */
                min_seqno?: number;
            };
            header?: {
                /** @description Write the database statements of the request to the log of the server. Twin: `x_debug_request`. */
                "X-Debug-Request"?: boolean;
                /** @description Leave every `address_book` empty. Twin: `x_no_address_book`. */
                "X-No-Address-Book"?: boolean;
                /** @description Leave every `metadata` empty. Twin: `x_no_metadata`. */
                "X-No-Metadata"?: boolean;
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
                /** @description Longest time of a database statement in ms. Twin: `x_timeout`. */
                "X-Timeout"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WalletStatesRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletStatesResponse"];
                };
            };
        };
    };
}
