// Written by `npm run web:types` from openapi/v2.json.
export interface paths {
    "/api/v2/detectAddress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Convert an address to all forms
         * @description The raw form and four friendly forms. The friendly forms keep the test-only flag of the given address.
         */
        get: operations["detectAddress_get"];
        put?: never;
        /**
         * Convert an address to all forms
         * @description The raw form and four friendly forms. The friendly forms keep the test-only flag of the given address.
         */
        post: operations["detectAddress_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/detectHash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Convert a hash to all forms
         * @description Base64, base64url and hex.
         */
        get: operations["detectHash_get"];
        put?: never;
        /**
         * Convert a hash to all forms
         * @description Base64, base64url and hex.
         */
        post: operations["detectHash_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/dnsResolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Resolve a domain name
         * @description Asks a resolver contract for the records of a name. When it resolves only the end of the name, the next resolver is asked, up to `ttl` times and at most 32 times; after that, the result has the resolved part and the address of the next resolver.
         */
        get: operations["dnsResolve_get"];
        put?: never;
        /**
         * Resolve a domain name
         * @description Asks a resolver contract for the records of a name. When it resolves only the end of the name, the next resolver is asked, up to `ttl` times and at most 32 times; after that, the result has the resolved part and the address of the next resolver.
         */
        post: operations["dnsResolve_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/estimateFee": {
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
         * @description Runs the contract on the message at the newest block. `gas_fee` and `fwd_fee` are 0 if the contract does not accept the message, for example because of a wrong seqno; `gas_fee` is the minimum if the account cannot pay for any gas. Fees of the receivers of its messages are not estimated.
         */
        post: operations["estimateFee_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/estimateFeeSimple": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Estimate the fees of an external message, with cells as objects
         * @description Same as estimateFee, with cells as objects. Kept for older clients.
         */
        post: operations["estimateFeeSimple_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getAddressBalance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the balance of an account
         * @description In nanotons. An account that does not exist has balance 0.
         */
        get: operations["getAddressBalance_get"];
        put?: never;
        /**
         * Get the balance of an account
         * @description In nanotons. An account that does not exist has balance 0.
         */
        post: operations["getAddressBalance_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getAddressInformation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get balance, code and data of an account
         * @description An account that does not exist is returned as an uninitialized one with balance 0. `suspended` tells whether the newest config keeps the account from being deployed.
         */
        get: operations["getAddressInformation_get"];
        put?: never;
        /**
         * Get balance, code and data of an account
         * @description An account that does not exist is returned as an uninitialized one with balance 0. `suspended` tells whether the newest config keeps the account from being deployed.
         */
        post: operations["getAddressInformation_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getAddressState": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of an account
         * @description An account that does not exist, or that has no code, is `uninitialized`.
         */
        get: operations["getAddressState_get"];
        put?: never;
        /**
         * Get the status of an account
         * @description An account that does not exist, or that has no code, is `uninitialized`.
         */
        post: operations["getAddressState_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getBlockHeader": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the header of a block
         * @description With the ids of the blocks before it.
         */
        get: operations["getBlockHeader_get"];
        put?: never;
        /**
         * Get the header of a block
         * @description With the ids of the blocks before it.
         */
        post: operations["getBlockHeader_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getBlockTransactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the transaction ids of a block
         * @description Ordered by account and logical time. If `incomplete` is true, continue with account and logical time of the last one as `after_hash` and `after_lt`.
         */
        get: operations["getBlockTransactions_get"];
        put?: never;
        /**
         * Get the transaction ids of a block
         * @description Ordered by account and logical time. If `incomplete` is true, continue with account and logical time of the last one as `after_hash` and `after_lt`.
         */
        post: operations["getBlockTransactions_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getBlockTransactionsExt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the transactions of a block
         * @description Ordered by account and logical time. If `incomplete` is true, continue with account and logical time of the last one as `after_hash` and `after_lt`.
         */
        get: operations["getBlockTransactionsExt_get"];
        put?: never;
        /**
         * Get the transactions of a block
         * @description Ordered by account and logical time. If `incomplete` is true, continue with account and logical time of the last one as `after_hash` and `after_lt`.
         */
        post: operations["getBlockTransactionsExt_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getConfigAll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the whole config
         * @description The cell is the root of a dictionary of config params by their signed 32-bit numbers.
         */
        get: operations["getConfigAll_get"];
        put?: never;
        /**
         * Get the whole config
         * @description The cell is the root of a dictionary of config params by their signed 32-bit numbers.
         */
        post: operations["getConfigAll_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getConfigParam": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a config param
         * @description Select it with `param` or `config_id`. A param that does not exist has empty `bytes`.
         */
        get: operations["getConfigParam_get"];
        put?: never;
        /**
         * Get a config param
         * @description Select it with `param` or `config_id`. A param that does not exist has empty `bytes`.
         */
        post: operations["getConfigParam_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getConsensusBlock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the seqno of the newest masterchain block
         * @description The newest block that any live lite server has, and the time of the response. No server is queried.
         */
        get: operations["getConsensusBlock_get"];
        put?: never;
        /**
         * Get the seqno of the newest masterchain block
         * @description The newest block that any live lite server has, and the time of the response. No server is queried.
         */
        post: operations["getConsensusBlock_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getExtendedAddressInformation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an account with its decoded state
         * @description The contract is recognised by its code: wallets v3 and v4, highload wallets, restricted wallets, manual DNS and old payment channels are decoded; every other account is returned with its code and data.
         */
        get: operations["getExtendedAddressInformation_get"];
        put?: never;
        /**
         * Get an account with its decoded state
         * @description The contract is recognised by its code: wallets v3 and v4, highload wallets, restricted wallets, manual DNS and old payment channels are decoded; every other account is returned with its code and data.
         */
        post: operations["getExtendedAddressInformation_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getLibraries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get public libraries by their hashes
         * @description In ascending order of their hashes. A library that does not exist is left out.
         */
        get: operations["getLibraries_get"];
        put?: never;
        /**
         * Get public libraries by their hashes
         * @description In ascending order of their hashes. A library that does not exist is left out.
         */
        post: operations["getLibraries_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getMasterchainBlockSignatures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the signatures of a masterchain block
         * @description Signatures of validators with more than two thirds of the total weight.
         */
        get: operations["getMasterchainBlockSignatures_get"];
        put?: never;
        /**
         * Get the signatures of a masterchain block
         * @description Signatures of validators with more than two thirds of the total weight.
         */
        post: operations["getMasterchainBlockSignatures_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getMasterchainInfo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the newest masterchain block
         * @description With the hash of the state after it and the zero state of the chain.
         */
        get: operations["getMasterchainInfo_get"];
        put?: never;
        /**
         * Get the newest masterchain block
         * @description With the hash of the state after it and the zero state of the chain.
         */
        post: operations["getMasterchainInfo_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getOutMsgQueueSize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the sizes of the out message queues of all shards
         * @description At the newest blocks; the masterchain first, then all shards.
         */
        get: operations["getOutMsgQueueSize_get"];
        put?: never;
        /**
         * Get the sizes of the out message queues of all shards
         * @description At the newest blocks; the masterchain first, then all shards.
         */
        post: operations["getOutMsgQueueSize_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getOutMsgQueueSizes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the sizes of the out message queues of all shards
         * @deprecated
         * @description At the newest blocks; the masterchain first, then all shards.
         */
        get: operations["getOutMsgQueueSizes_get"];
        put?: never;
        /**
         * Get the sizes of the out message queues of all shards
         * @deprecated
         * @description At the newest blocks; the masterchain first, then all shards.
         */
        post: operations["getOutMsgQueueSizes_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getShardAccountCell": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an account as a cell
         * @description A ShardAccount: the account itself, and hash and logical time of its last transaction.
         */
        get: operations["getShardAccountCell_get"];
        put?: never;
        /**
         * Get an account as a cell
         * @description A ShardAccount: the account itself, and hash and logical time of its last transaction.
         */
        post: operations["getShardAccountCell_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getShardBlockProof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the proof of a block from a masterchain block
         * @description Leads from a masterchain block back to the one that contains the block (`mc_proof`), and from there to the block (`links`).
         */
        get: operations["getShardBlockProof_get"];
        put?: never;
        /**
         * Get the proof of a block from a masterchain block
         * @description Leads from a masterchain block back to the one that contains the block (`mc_proof`), and from there to the block (`links`).
         */
        post: operations["getShardBlockProof_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getShards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the newest blocks of all shards at a masterchain block
         * @description Workchains in ascending order, the shards of each from left to right; without the masterchain.
         */
        get: operations["getShards_get"];
        put?: never;
        /**
         * Get the newest blocks of all shards at a masterchain block
         * @description Workchains in ascending order, the shards of each from left to right; without the masterchain.
         */
        post: operations["getShards_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getTokenData": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the data of a jetton or NFT contract
         * @description Tries the contract as a jetton master, a jetton wallet, an NFT collection and an NFT, in this order. A jetton wallet must be confirmed by its master, an NFT by its collection. Domains have their DNS records.
         */
        get: operations["getTokenData_get"];
        put?: never;
        /**
         * Get the data of a jetton or NFT contract
         * @description Tries the contract as a jetton master, a jetton wallet, an NFT collection and an NFT, in this order. A jetton wallet must be confirmed by its master, an NFT by its collection. Domains have their DNS records.
         */
        post: operations["getTokenData_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getTransactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the transactions of an account, newest first
         * @description Starts with the newest transaction, or with the one given by `lt` and `hash`. When a lite server does not have a part of the history, an archive server is used; a list is never cut short.
         */
        get: operations["getTransactions_get"];
        put?: never;
        /**
         * Get the transactions of an account, newest first
         * @description Starts with the newest transaction, or with the one given by `lt` and `hash`. When a lite server does not have a part of the history, an archive server is used; a list is never cut short.
         */
        post: operations["getTransactions_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getTransactionsStd": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the transactions of an account, with the id of the one before them
         * @description Same as getTransactions, in the form of tonlib. `previous_transaction_id` is where to continue; `lt` "0" means that there are no earlier transactions.
         */
        get: operations["getTransactionsStd_get"];
        put?: never;
        /**
         * Get the transactions of an account, with the id of the one before them
         * @description Same as getTransactions, in the form of tonlib. `previous_transaction_id` is where to continue; `lt` "0" means that there are no earlier transactions.
         */
        post: operations["getTransactionsStd_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getWalletInformation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get type, seqno and id of a wallet
         * @description Knows wallets v1 to v5. Any other account (a contract, frozen or missing) has `wallet: false` and none of the wallet members.
         */
        get: operations["getWalletInformation_get"];
        put?: never;
        /**
         * Get type, seqno and id of a wallet
         * @description Knows wallets v1 to v5. Any other account (a contract, frozen or missing) has `wallet: false` and none of the wallet members.
         */
        post: operations["getWalletInformation_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/healthcheck": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that a lite server is live
         * @description Requires no API key and does not count against the rate limit.
         */
        get: operations["healthcheck_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/jsonRPC": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call any operation by JSON-RPC
         * @description Returns the envelope of the operation plus `jsonrpc` and the `id` of the request. An array of calls is answered with an array in the same order; each call counts against the rate limit.
         */
        post: operations["jsonRPC_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/lookupBlock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find a block by seqno, logical time or unix time
         * @description Requires exactly one of `seqno`, `lt` and `unixtime`. The block may belong to a smaller or larger shard than the given one.
         */
        get: operations["lookupBlock_get"];
        put?: never;
        /**
         * Find a block by seqno, logical time or unix time
         * @description Requires exactly one of `seqno`, `lt` and `unixtime`. The block may belong to a smaller or larger shard than the given one.
         */
        post: operations["lookupBlock_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/packAddress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Convert an address to the friendly form
         * @description In base64url. A raw address becomes bounceable and not test-only; a friendly one keeps its flags.
         */
        get: operations["packAddress_get"];
        put?: never;
        /**
         * Convert an address to the friendly form
         * @description In base64url. A raw address becomes bounceable and not test-only; a friendly one keeps its flags.
         */
        post: operations["packAddress_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/runGetMethod": {
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
         * @description The gas limit is 4 000 000. A failed run is returned with its `exit_code` (0 and 1 are success, -13 is an account without code). The config is always the newest one, even with `seqno`.
         */
        post: operations["runGetMethod_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/runGetMethodStd": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a get-method, with typed arguments and result
         * @description The gas limit is 4 000 000. Every exit code but 0 is an error, even 1, which TVM counts as success. The config is always the newest one, even with `seqno`.
         */
        post: operations["runGetMethodStd_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/sendBoc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an external message
         * @description The message is sent to several lite servers. Success means that at least one accepted it, not that it is in a block.
         */
        post: operations["sendBoc_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/sendBocReturnHash": {
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
         * @description Same as sendBoc. `hash` is the hash of the message as sent, `hash_norm` that of its normal form (TEP-467), which does not depend on how the message is serialised.
         */
        post: operations["sendBocReturnHash_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/sendBocReturnHashNoError": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an external message and get its hashes, failures with status 400
         * @description Same as sendBocReturnHash, but every failure of the message has status 400.
         */
        post: operations["sendBocReturnHashNoError_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/sendBocUnsafe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an external message with retries
         * @description Returns at once. A message that the lite servers reject is sent again every 5 seconds for a minute; the final outcome is not reported.
         */
        post: operations["sendBocUnsafe_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/sendCellSimple": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an external message, with cells as objects
         * @description Same as sendBoc, with the message as a cell object. Kept for older clients; new ones should use sendBoc.
         */
        post: operations["sendCellSimple_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/sendQuery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an external message given in parts
         * @description The message is built from its parts and sent as by sendBoc.
         */
        post: operations["sendQuery_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/sendQuerySimple": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an external message given in parts, with cells as objects
         * @description Same as sendQuery, with cells as objects. Kept for older clients; new ones should use sendBoc.
         */
        post: operations["sendQuerySimple_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/shards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the newest blocks of all shards at a masterchain block
         * @deprecated
         * @description Workchains in ascending order, the shards of each from left to right; without the masterchain.
         */
        get: operations["shards_get"];
        put?: never;
        /**
         * Get the newest blocks of all shards at a masterchain block
         * @deprecated
         * @description Workchains in ascending order, the shards of each from left to right; without the masterchain.
         */
        post: operations["shards_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/tryLocateResultTx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the transaction that received a message
         * @deprecated
         * @description Searches the last transactions of the receiver, then up to fifty blocks from the creation of the message, also across splits and merges of shards.
         */
        get: operations["tryLocateResultTx_get"];
        put?: never;
        /**
         * Find the transaction that received a message
         * @deprecated
         * @description Searches the last transactions of the receiver, then up to fifty blocks from the creation of the message, also across splits and merges of shards.
         */
        post: operations["tryLocateResultTx_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/tryLocateSourceTx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the transaction that sent a message
         * @description Internal messages only.
         */
        get: operations["tryLocateSourceTx_get"];
        put?: never;
        /**
         * Find the transaction that sent a message
         * @description Internal messages only.
         */
        post: operations["tryLocateSourceTx_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/tryLocateTx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the transaction that received a message
         * @description Searches the last transactions of the receiver, then up to fifty blocks from the creation of the message, also across splits and merges of shards.
         */
        get: operations["tryLocateTx_get"];
        put?: never;
        /**
         * Find the transaction that received a message
         * @description Searches the last transactions of the receiver, then up to fifty blocks from the creation of the message, also across splits and merges of shards.
         */
        post: operations["tryLocateTx_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/unpackAddress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Convert an address to the raw form
         * @description Workchain and hash in upper-case hex.
         */
        get: operations["unpackAddress_get"];
        put?: never;
        /**
         * Convert an address to the raw form
         * @description Workchain and hash in upper-case hex.
         */
        post: operations["unpackAddress_post"];
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
        AccountAddress: {
            /** @constant */
            "@type": "accountAddress";
            account_address: string;
        };
        AccountState: components["schemas"]["AccountStateUninited"] | components["schemas"]["AccountStateRaw"] | components["schemas"]["AccountStateWalletV3"] | components["schemas"]["AccountStateWalletV4"] | components["schemas"]["AccountStateWalletHighloadV1"] | components["schemas"]["AccountStateWalletHighloadV2"] | components["schemas"]["AccountStateDns"] | components["schemas"]["AccountStateRWallet"] | components["schemas"]["AccountStatePChan"];
        AccountStateDns: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "dns.accountState";
            wallet_id: number;
        };
        /** @enum {string} */
        AccountStateEnum: "uninitialized" | "active" | "frozen";
        AccountStatePChan: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "pchan.accountState";
            config: components["schemas"]["PChanConfig"];
            description: string;
            state: components["schemas"]["PChanState"];
        };
        AccountStateRaw: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "raw.accountState";
            code: string;
            data: string;
            frozen_hash: string;
        };
        AccountStateRWallet: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "rwallet.accountState";
            config: components["schemas"]["RWalletConfig"];
            seqno: number;
            unlocked_balance: number;
            wallet_id: number;
        };
        AccountStateUninited: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "uninited.accountState";
            frozen_hash: string;
        };
        AccountStateWalletHighloadV1: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "wallet.highload.v1.accountState";
            seqno: number;
            wallet_id: number;
        };
        AccountStateWalletHighloadV2: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "wallet.highload.v2.accountState";
            wallet_id: number;
        };
        AccountStateWalletV3: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "wallet.v3.accountState";
            seqno: number;
            wallet_id: number;
        };
        AccountStateWalletV4: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "wallet.v4.accountState";
            seqno: number;
            wallet_id: number;
        };
        AddressBalanceRequest: {
            /** @description Account address: raw, friendly (base64 or base64url), or 64 hex digits for the masterchain. */
            address: string;
            /** @description Seqno of the masterchain block to read from; the newest block when left out. */
            seqno?: number;
        };
        AddressBalanceResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: string;
        };
        AddressInformation: {
            /** @constant */
            "@type": "raw.fullAccountState";
            balance: string;
            block_id: components["schemas"]["TonBlockIdExt"];
            code: string;
            data: string;
            extra_currencies: components["schemas"]["ExtraCurrencyBalance"][];
            frozen_hash: string;
            last_transaction_id: components["schemas"]["InternalTransactionId"];
            state: components["schemas"]["AccountStateEnum"];
            suspended: boolean;
            sync_utime: number;
        };
        AddressInformationRequest: {
            /** @description Account address: raw, friendly (base64 or base64url), or 64 hex digits for the masterchain. */
            address: string;
            /** @description Seqno of the masterchain block to read from; the newest block when left out. */
            seqno?: number;
        };
        AddressInformationResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["AddressInformation"];
        };
        AddressStateRequest: {
            /** @description Account address: raw, friendly (base64 or base64url), or 64 hex digits for the masterchain. */
            address: string;
            /** @description Seqno of the masterchain block to read from; the newest block when left out. */
            seqno?: number;
        };
        AddressStateResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["AccountStateEnum"];
        };
        AdnlAddress: {
            /** @constant */
            "@type": "adnlAddress";
            adnl_address: string;
        };
        BlockHeader: {
            /** @constant */
            "@type": "blocks.header";
            after_merge: boolean;
            after_split: boolean;
            before_split: boolean;
            catchain_seqno: number;
            end_lt: string;
            gen_utime: number;
            global_id: number;
            id: components["schemas"]["TonBlockIdExt"];
            is_key_block: boolean;
            min_ref_mc_seqno: number;
            prev_blocks: components["schemas"]["TonBlockIdExt"][];
            prev_key_block_seqno: number;
            start_lt: string;
            validator_list_hash_short: number;
            version: number;
            want_merge: boolean;
            want_split: boolean;
        };
        BlockHeaderRequest: {
            /** @description File hash of the block; only used together with root_hash. */
            file_hash?: string;
            /** @description Root hash of the block; only used together with file_hash. */
            root_hash?: string;
            /** @description Seqno of the block in its shard. */
            seqno: number;
            /** @description Shard id as a signed decimal or in hex. */
            shard: string;
            /** @description Workchain: -1 is the masterchain, 0 the basechain. */
            workchain: number;
        };
        BlockHeaderResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["BlockHeader"];
        };
        BlockLinkBack: {
            /** @constant */
            "@type": "blocks.blockLinkBack";
            dest_proof: string;
            from: components["schemas"]["TonBlockIdExt"];
            proof: string;
            state_proof: string;
            to: components["schemas"]["TonBlockIdExt"];
            to_key_block: boolean;
        };
        BlockSignature: {
            /** @constant */
            "@type": "blocks.signature";
            node_id_short: string;
            signature: string;
        };
        BlockSignatures: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "blocks.blockSignatures";
            id: components["schemas"]["TonBlockIdExt"];
            signatures: components["schemas"]["BlockSignature"][];
        };
        BlockSignaturesSimplex: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "blocks.blockSignatures.simplex";
            candidate: string;
            id: components["schemas"]["TonBlockIdExt"];
            session_id: string;
            signatures: components["schemas"]["BlockSignature"][];
            slot: number;
        };
        BlockTransactions: {
            /** @constant */
            "@type": "blocks.transactions";
            id: components["schemas"]["TonBlockIdExt"];
            incomplete: boolean;
            req_count: number;
            transactions: components["schemas"]["ShortTxId"][];
        };
        BlockTransactionsExt: {
            /** @constant */
            "@type": "blocks.transactionsExt";
            id: components["schemas"]["TonBlockIdExt"];
            incomplete: boolean;
            req_count: number;
            transactions: components["schemas"]["TransactionExt"][];
        };
        BlockTransactionsExtRequest: {
            /** @description Account of the last transaction seen (not the hash of the transaction): an address in any form, or its hash. */
            after_hash?: string;
            /** @description Logical time of the last transaction seen; together with after_hash. */
            after_lt?: number | string;
            /** @description Maximum number of transactions. Default: `40`. */
            count?: number;
            /** @description File hash of the block; only used together with root_hash. */
            file_hash?: string;
            /** @description Root hash of the block; only used together with file_hash. */
            root_hash?: string;
            /** @description Seqno of the block in its shard. */
            seqno: number;
            /** @description Shard id as a signed decimal or in hex. */
            shard: string;
            /** @description Workchain: -1 is the masterchain, 0 the basechain. */
            workchain: number;
        };
        BlockTransactionsExtResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["BlockTransactionsExt"];
        };
        BlockTransactionsRequest: {
            /** @description Account of the last transaction seen (not the hash of the transaction): an address in any form, or its hash. */
            after_hash?: string;
            /** @description Logical time of the last transaction seen; together with after_hash. */
            after_lt?: number | string;
            /** @description Maximum number of transactions. Default: `40`. */
            count?: number;
            /** @description File hash of the block; only used together with root_hash. */
            file_hash?: string;
            /** @description Root hash of the block; only used together with file_hash. */
            root_hash?: string;
            /** @description Seqno of the block in its shard. */
            seqno: number;
            /** @description Shard id as a signed decimal or in hex. */
            shard: string;
            /** @description Workchain: -1 is the masterchain, 0 the basechain. */
            workchain: number;
        };
        BlockTransactionsResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["BlockTransactions"];
        };
        CellObject: {
            data: {
                b64: string;
                len: number;
            };
            refs: components["schemas"]["CellObject"][];
            /** @description False by default. */
            special?: boolean;
        };
        ConfigAllRequest: {
            /** @description Seqno of the masterchain block to read from; the newest block when left out. */
            seqno?: number;
        };
        ConfigAllResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["ConfigInfo"];
        };
        ConfigInfo: {
            /** @constant */
            "@type": "configInfo";
            config: components["schemas"]["TvmCell"];
        };
        ConfigParamRequest: {
            /** @description Old name of `param`. */
            config_id?: number;
            /** @description Number of the config param. */
            param?: number;
            /** @description Seqno of the masterchain block to read from; the newest block when left out. */
            seqno?: number;
        };
        ConfigParamResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["ConfigInfo"];
        };
        ConsensusBlock: {
            /** @constant */
            "@type": "ext.blocks.consensusBlock";
            consensus_block: number;
            timestamp: number;
        };
        ConsensusBlockRequest: Record<string, never>;
        ConsensusBlockResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["ConsensusBlock"];
        };
        DetectAddress: {
            /** @constant */
            "@type": "ext.utils.detectedAddress";
            bounceable: components["schemas"]["DetectAddressBase64Variant"];
            /** @enum {string} */
            given_type: "raw_form" | "friendly_bounceable" | "friendly_non_bounceable";
            non_bounceable: components["schemas"]["DetectAddressBase64Variant"];
            raw_form: string;
            test_only: boolean;
        };
        DetectAddressBase64Variant: {
            /** @constant */
            "@type": "ext.utils.detectedAddressVariant";
            b64: string;
            b64url: string;
        };
        DetectAddressRequest: {
            /** @description Account address: raw, friendly (base64 or base64url), or 64 hex digits for the masterchain. */
            address: string;
        };
        DetectAddressResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["DetectAddress"];
        };
        DetectHash: {
            /** @constant */
            "@type": "ext.utils.detectedHash";
            b64: string;
            b64url: string;
            hex: string;
        };
        DetectHashRequest: {
            /** @description 256-bit hash: hex, base64, or base64url. */
            hash: string;
        };
        DetectHashResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["DetectHash"];
        };
        DnsContent: {
            data: components["schemas"]["DnsRecordSet"];
            domain: string;
        };
        DnsEntry: {
            /** @constant */
            "@type": "dns.entry";
            category: string;
            entry: components["schemas"]["DnsEntryData"];
            name: string;
        };
        DnsEntryData: components["schemas"]["DnsEntryDataText"] | components["schemas"]["DnsEntryDataNextResolver"] | components["schemas"]["DnsEntryDataSmcAddress"] | components["schemas"]["DnsEntryDataAdnlAddress"] | components["schemas"]["DnsEntryDataStorageAddress"];
        DnsEntryDataAdnlAddress: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "dns.entryDataAdnlAddress";
            adnl_address: components["schemas"]["AdnlAddress"];
        };
        DnsEntryDataNextResolver: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "dns.entryDataNextResolver";
            resolver: components["schemas"]["AccountAddress"];
        };
        DnsEntryDataSmcAddress: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "dns.entryDataSmcAddress";
            smc_address: components["schemas"]["AccountAddress"];
        };
        DnsEntryDataStorageAddress: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "dns.entryDataStorageAddress";
            bag_id: string;
        };
        DnsEntryDataText: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "dns.entryDataText";
            text: string;
        };
        DnsRecord: components["schemas"]["DnsRecordSmcAddress"] | components["schemas"]["DnsRecordNextResolver"] | components["schemas"]["DnsRecordAdnlAddress"] | components["schemas"]["DnsRecordStorageAddress"];
        DnsRecordAdnlAddress: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "dns_adnl_address";
            adnl_addr: string;
        };
        DnsRecordNextResolver: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "dns_next_resolver";
            resolver: components["schemas"]["SmcAddr"];
        };
        DnsRecordSet: {
            [key: string]: components["schemas"]["DnsRecord"];
        };
        DnsRecordSmcAddress: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "dns_smc_address";
            smc_addr: components["schemas"]["SmcAddr"];
        };
        DnsRecordStorageAddress: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "dns_storage_address";
            bag_id: string;
        };
        DnsResolved: {
            /** @constant */
            "@type": "dns.resolved";
            entries: components["schemas"]["DnsEntry"][];
        };
        DnsResolveRequest: {
            /** @description Address of the resolver contract. */
            address: string;
            /** @description Category of records: its name (`wallet`, `site`, `storage`, `dns_next_resolver` or another one) or its hash in hex or base64; all records when left out. */
            category?: string;
            /** @description Domain name to resolve; when left out, the records of the contract itself. Default: `""`. */
            name?: string;
            /** @description Seqno of the masterchain block to read from; the newest block when left out. */
            seqno?: number;
            /** @description Maximum number of further resolvers to ask. Default: `0`. */
            ttl?: number;
        };
        DnsResolveResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["DnsResolved"];
        };
        Error: {
            "@extra"?: string;
            /** @description The same number as the HTTP status. */
            code: number;
            error: string;
            id?: string | number | boolean | null;
            /** @constant */
            jsonrpc?: "2.0";
            /** @constant */
            ok: false;
        };
        EstimateFeeRequest: {
            /** @description Address of the account that receives the message. */
            address: string;
            /** @description Body of the message as a bag of cells in base64. */
            body: string;
            /** @description Whether every signature check succeeds. Default: `true`. */
            ignore_chksig?: boolean;
            /** @description Code of the contract to deploy, as a bag of cells in base64. */
            init_code?: string;
            /** @description Data of the contract to deploy; only used together with init_code. */
            init_data?: string;
        } & {
            [key: string]: unknown;
        };
        EstimateFeeResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["QueryFees"];
        };
        EstimateFeeSimpleRequest: {
            /** @description Address of the account that receives the message. */
            address: string;
            /** @description Body of the message. */
            body: components["schemas"]["CellObject"];
            /** @description Whether every signature check succeeds. Default: `true`. */
            ignore_chksig?: boolean;
            /** @description Code of the contract to deploy. */
            init_code?: components["schemas"]["CellObject"];
            /** @description Data of the contract to deploy; only used together with init_code. */
            init_data?: components["schemas"]["CellObject"];
        };
        EstimateFeeSimpleResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["QueryFees"];
        };
        ExtendedAddressInformation: {
            /** @constant */
            "@type": "fullAccountState";
            account_state: components["schemas"]["AccountState"];
            address: components["schemas"]["AccountAddress"];
            balance: string;
            block_id: components["schemas"]["TonBlockIdExt"];
            extra_currencies: components["schemas"]["ExtraCurrencyBalance"][];
            last_transaction_id: components["schemas"]["InternalTransactionId"];
            revision: number;
            sync_utime: number;
        };
        ExtendedAddressInformationRequest: {
            /** @description Account address: raw, friendly (base64 or base64url), or 64 hex digits for the masterchain. */
            address: string;
            /** @description Seqno of the masterchain block to read from; the newest block when left out. */
            seqno?: number;
        };
        ExtendedAddressInformationResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["ExtendedAddressInformation"];
        };
        ExtMessageInfo: {
            /** @constant */
            "@type": "raw.extMessageInfo";
            hash: string;
            hash_norm: string;
        };
        ExtraCurrencyBalance: {
            /** @constant */
            "@type": "extraCurrency";
            amount: string;
            id: number;
        };
        Fees: {
            /** @constant */
            "@type": "fees";
            fwd_fee: number;
            gas_fee: number;
            in_fwd_fee: number;
            storage_fee: number;
        };
        InternalTransactionId: {
            /** @constant */
            "@type": "internal.transactionId";
            hash: string;
            lt: string;
        };
        JettonMasterData: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "ext.tokens.jettonMasterData";
            address: string;
            admin_address?: string;
            /** @constant */
            contract_type: "jetton_master";
            jetton_content: components["schemas"]["TokenContent"];
            jetton_wallet_code: string;
            mintable: boolean;
            total_supply: string;
        };
        JettonWalletData: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "ext.tokens.jettonWalletData";
            address: string;
            balance: string;
            /** @constant */
            contract_type: "jetton_wallet";
            jetton: string;
            jetton_wallet_code: string;
            mintless_is_claimed?: boolean;
            owner: string;
        };
        JsonRpcRequest: {
            id?: string | number | boolean | null;
            /** @description `2.0`; not checked. */
            jsonrpc?: string;
            /** @enum {string} */
            method: "detectAddress" | "detectHash" | "packAddress" | "unpackAddress" | "getAddressInformation" | "getExtendedAddressInformation" | "getShardAccountCell" | "getWalletInformation" | "getAddressBalance" | "getAddressState" | "getTokenData" | "dnsResolve" | "getMasterchainInfo" | "getMasterchainBlockSignatures" | "getShardBlockProof" | "getConsensusBlock" | "lookupBlock" | "getShards" | "shards" | "getBlockHeader" | "getOutMsgQueueSize" | "getOutMsgQueueSizes" | "getBlockTransactions" | "getBlockTransactionsExt" | "getTransactions" | "getTransactionsStd" | "tryLocateTx" | "tryLocateResultTx" | "tryLocateSourceTx" | "getConfigParam" | "getConfigAll" | "getLibraries" | "runGetMethod" | "runGetMethodStd" | "sendBoc" | "sendBocReturnHash" | "sendBocReturnHashNoError" | "sendBocUnsafe" | "sendQuery" | "sendQuerySimple" | "sendCellSimple" | "estimateFee" | "estimateFeeSimple";
            /** @description The parameters of the operation. */
            params?: {
                [key: string]: unknown;
            } | null;
        };
        JsonRpcResponse: components["schemas"]["JsonRpcSuccess"] | components["schemas"]["Error"];
        JsonRpcSuccess: {
            "@extra": string;
            id?: string | number | boolean | null;
            /** @constant */
            jsonrpc: "2.0";
            /** @constant */
            ok: true;
            /** @description The result of the operation. */
            result: unknown;
        };
        LegacyStackEntry: [
            "num",
            string
        ] | [
            "cell",
            components["schemas"]["LegacyStackEntryCell"]
        ] | [
            "tuple",
            components["schemas"]["TvmTuple"]
        ] | [
            "list",
            components["schemas"]["TvmList"]
        ] | [
            "unsupported",
            ""
        ];
        /** @description A cell or a slice. */
        LegacyStackEntryCell: {
            bytes: string;
            object: components["schemas"]["LegacyTvmCell"];
        };
        LegacyStackEntryInput: [
            "num" | "int" | "number" | "integer",
            string | number
        ] | [
            "tvm.Cell" | "tvm.Slice",
            string
        ] | [
            "cell" | "slice",
            {
                bytes: string;
            } | components["schemas"]["LegacyTvmCell"] | string
        ] | [
            "tuple" | "tvm.Tuple",
            components["schemas"]["TvmTuple"] | components["schemas"]["TvmStackEntryTuple"]
        ] | [
            "list" | "tvm.List",
            components["schemas"]["TvmList"] | components["schemas"]["TvmStackEntryList"]
        ];
        LegacyTvmCell: {
            data: {
                b64: string;
                len: number;
            };
            refs: components["schemas"]["LegacyTvmCell"][];
            special: boolean;
        };
        LibrariesRequest: {
            /** @description Hash of a library; may be repeated. */
            libraries?: string[];
        };
        LibrariesResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["LibraryResult"];
        };
        LibraryEntry: {
            /** @constant */
            "@type": "smc.libraryEntry";
            data: string;
            hash: string;
        };
        LibraryResult: {
            /** @constant */
            "@type": "smc.libraryResult";
            result: components["schemas"]["LibraryEntry"][];
        };
        LookupBlockRequest: {
            /** @description Logical time within the block. */
            lt?: number | string;
            /** @description Seqno of the block in its shard. */
            seqno?: number;
            /** @description Shard id as a signed decimal or in hex. */
            shard: string;
            /** @description Unix time of the block, in seconds. */
            unixtime?: number;
            /** @description Workchain: -1 is the masterchain, 0 the basechain. */
            workchain: number;
        };
        LookupBlockResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["TonBlockIdExt"];
        };
        MasterchainBlockSignatures: components["schemas"]["BlockSignatures"] | components["schemas"]["BlockSignaturesSimplex"];
        MasterchainBlockSignaturesRequest: {
            /** @description Seqno of the masterchain block. */
            seqno: number;
        };
        MasterchainBlockSignaturesResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["MasterchainBlockSignatures"];
        };
        MasterchainInfo: {
            /** @constant */
            "@type": "blocks.masterchainInfo";
            init: components["schemas"]["TonBlockIdExt"];
            last: components["schemas"]["TonBlockIdExt"];
            state_root_hash: string;
        };
        MasterchainInfoRequest: Record<string, never>;
        MasterchainInfoResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["MasterchainInfo"];
        };
        Message: {
            /** @constant */
            "@type": "ext.message";
            body_hash: string;
            created_lt: string;
            destination: string;
            extra_currencies: components["schemas"]["ExtraCurrencyBalance"][];
            fwd_fee: string;
            hash: string;
            ihr_fee: string;
            /** @description The comment, or the bits of the root cell of the body in base64. */
            message?: string;
            msg_data: components["schemas"]["MsgData"];
            source: string;
            value: string;
        };
        MessageStd: {
            /** @constant */
            "@type": "raw.message";
            body_hash: string;
            created_lt: string;
            destination: components["schemas"]["AccountAddress"];
            extra_currencies: components["schemas"]["ExtraCurrencyBalance"][];
            fwd_fee: string;
            hash: string;
            ihr_fee: string;
            msg_data: components["schemas"]["MsgData"];
            source: components["schemas"]["AccountAddress"];
            value: string;
        };
        MsgData: components["schemas"]["MsgDataRaw"] | components["schemas"]["MsgDataText"] | components["schemas"]["MsgDataEncryptedText"];
        MsgDataEncryptedText: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "msg.dataEncryptedText";
            text: string;
        };
        MsgDataRaw: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "msg.dataRaw";
            body: string;
            init_state: string;
        };
        MsgDataText: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "msg.dataText";
            text: string;
        };
        NftCollectionData: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "ext.tokens.nftCollectionData";
            address: string;
            collection_content: components["schemas"]["TokenContent"];
            /** @constant */
            contract_type: "nft_collection";
            next_item_index: string;
            owner_address?: string;
        };
        NftItemData: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "ext.tokens.nftItemData";
            address: string;
            collection_address?: string;
            content: components["schemas"]["TokenContentOffchain"] | components["schemas"]["TokenContentOnchain"] | components["schemas"]["DnsContent"];
            /** @constant */
            contract_type: "nft_item";
            index: string;
            init: boolean;
            owner_address?: string;
        };
        OutMsgQueueSize: {
            /** @constant */
            "@type": "blocks.outMsgQueueSize";
            id: components["schemas"]["TonBlockIdExt"];
            size: number;
        };
        OutMsgQueueSizeRequest: Record<string, never>;
        OutMsgQueueSizeResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["OutMsgQueueSizes"];
        };
        OutMsgQueueSizes: {
            /** @constant */
            "@type": "blocks.outMsgQueueSizes";
            ext_msg_queue_size_limit: number;
            shards: components["schemas"]["OutMsgQueueSize"][];
        };
        PackAddressRequest: {
            /** @description Account address: raw, friendly (base64 or base64url), or 64 hex digits for the masterchain. */
            address: string;
        };
        PackAddressResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: string;
        };
        PChanConfig: {
            /** @constant */
            "@type": "pchan.config";
            alice_address: components["schemas"]["AccountAddress"];
            alice_public_key: string;
            bob_address: components["schemas"]["AccountAddress"];
            bob_public_key: string;
            channel_id: number;
            close_timeout: number;
            init_timeout: number;
        };
        PChanState: components["schemas"]["PChanStateInit"] | components["schemas"]["PChanStateClose"] | components["schemas"]["PChanStatePayout"];
        PChanStateClose: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "pchan.stateClose";
            A: number;
            B: number;
            expire_at: number;
            min_A: number;
            min_B: number;
            signed_A: boolean;
            signed_B: boolean;
        };
        PChanStateInit: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "pchan.stateInit";
            A: number;
            B: number;
            expire_at: number;
            min_A: number;
            min_B: number;
            signed_A: boolean;
            signed_B: boolean;
        };
        PChanStatePayout: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "pchan.statePayout";
            A: number;
            B: number;
        };
        QueryFees: {
            /** @constant */
            "@type": "query.fees";
            destination_fees: components["schemas"]["Fees"][];
            source_fees: components["schemas"]["Fees"];
        };
        ResultOk: {
            /** @constant */
            "@type": "ok";
        };
        RunGetMethodRequest: {
            /** @description Account address: raw, friendly (base64 or base64url), or 64 hex digits for the masterchain. */
            address: string;
            /** @description Name or id of the get-method; a numeric string (`"85143"`, `"0x14c97"`) is an id. */
            method: string | number;
            /** @description Seqno of the masterchain block to read from; the newest block when left out. */
            seqno?: number;
            /** @description Arguments, each `[type, value]`: `["num", "0x2a"]`, `["tvm.Cell", "<base64>"]`, `["tvm.Slice", "<base64>"]`, `["tuple", {…}]`, `["list", {…}]`; `[]` for no arguments. */
            stack: components["schemas"]["LegacyStackEntryInput"][];
        } & {
            [key: string]: unknown;
        };
        RunGetMethodResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["RunGetMethodResult"];
        };
        RunGetMethodResult: {
            /** @constant */
            "@type": "smc.runResult";
            block_id: components["schemas"]["TonBlockIdExt"];
            exit_code: number;
            gas_used: number;
            last_transaction_id: components["schemas"]["InternalTransactionId"];
            /** @description Entries `["num", "0x2a"]`, `["cell", {"bytes", "object"}]` (slices too), `["tuple", {"@type": "tvm.tuple", "elements"}]`, `["list", {"@type": "tvm.list", "elements"}]` (null is an empty list), `["unsupported", ""]`; elements are typed as in runGetMethodStd. */
            stack: components["schemas"]["LegacyStackEntry"][];
        };
        RunGetMethodStdRequest: {
            /** @description Account address: raw, friendly (base64 or base64url), or 64 hex digits for the masterchain. */
            address: string;
            /** @description Name or id of the get-method; a numeric string (`"85143"`, `"0x14c97"`) is an id. */
            method: string | number;
            /** @description Seqno of the masterchain block to read from; the newest block when left out. */
            seqno?: number;
            /** @description Arguments, each with its `@type`; `[]` for no arguments. */
            stack: components["schemas"]["TvmStackEntry"][];
        };
        RunGetMethodStdResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["RunGetMethodStdResult"];
        };
        RunGetMethodStdResult: {
            /** @constant */
            "@type": "smc.runResult";
            exit_code: number;
            gas_used: number;
            stack: components["schemas"]["TvmStackEntry"][];
        };
        RWalletConfig: {
            /** @constant */
            "@type": "rwallet.config";
            limits: components["schemas"]["RWalletLimit"][];
            start_at: number;
        };
        RWalletLimit: {
            /** @constant */
            "@type": "rwallet.limit";
            seconds: number;
            value: number;
        };
        SendBocRequest: {
            /** @description External message as a bag of cells in base64. */
            boc: string;
        } & {
            [key: string]: unknown;
        };
        SendBocResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["ResultOk"];
        };
        SendBocReturnHashNoErrorRequest: {
            /** @description External message as a bag of cells in base64. */
            boc: string;
        };
        SendBocReturnHashNoErrorResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["ExtMessageInfo"];
        };
        SendBocReturnHashRequest: {
            /** @description External message as a bag of cells in base64. */
            boc: string;
        } & {
            [key: string]: unknown;
        };
        SendBocReturnHashResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["ExtMessageInfo"];
        };
        SendBocUnsafeRequest: {
            /** @description External message as a bag of cells in base64. */
            boc: string;
        };
        SendBocUnsafeResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["ResultOk"];
        };
        SendCellSimpleRequest: {
            /** @description External message. */
            cell: components["schemas"]["CellObject"];
        };
        SendCellSimpleResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["ResultOk"];
        };
        SendQueryRequest: {
            /** @description Address of the account that receives the message. */
            address: string;
            /** @description Body of the message as a bag of cells in base64. */
            body: string;
            /** @description Code of the contract to deploy, as a bag of cells in base64. */
            init_code?: string;
            /** @description Data of the contract to deploy; only used together with init_code. */
            init_data?: string;
        };
        SendQueryResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["ResultOk"];
        };
        SendQuerySimpleRequest: {
            /** @description Address of the account that receives the message. */
            address: string;
            /** @description Body of the message. */
            body: components["schemas"]["CellObject"];
            /** @description Code of the contract to deploy. */
            init_code?: components["schemas"]["CellObject"];
            /** @description Data of the contract to deploy; only used together with init_code. */
            init_data?: components["schemas"]["CellObject"];
        };
        SendQuerySimpleResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["ResultOk"];
        };
        ShardAccountCellRequest: {
            /** @description Account address: raw, friendly (base64 or base64url), or 64 hex digits for the masterchain. */
            address: string;
            /** @description Seqno of the masterchain block to read from; the newest block when left out. */
            seqno?: number;
        };
        ShardAccountCellResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["TvmCell"];
        };
        ShardBlockLink: {
            /** @constant */
            "@type": "blocks.shardBlockLink";
            id: components["schemas"]["TonBlockIdExt"];
            proof: string;
        };
        ShardBlockProof: {
            /** @constant */
            "@type": "blocks.shardBlockProof";
            from: components["schemas"]["TonBlockIdExt"];
            links: components["schemas"]["ShardBlockLink"][];
            mc_id: components["schemas"]["TonBlockIdExt"];
            mc_proof: components["schemas"]["BlockLinkBack"][];
        };
        ShardBlockProofRequest: {
            /** @description Seqno of the masterchain block to start from; the newest when left out. */
            from_seqno?: number;
            /** @description Seqno of the block in its shard. */
            seqno: number;
            /** @description Shard id as a signed decimal or in hex. */
            shard: string;
            /** @description Workchain: -1 is the masterchain, 0 the basechain. */
            workchain: number;
        };
        ShardBlockProofResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["ShardBlockProof"];
        };
        Shards: {
            /** @constant */
            "@type": "blocks.shards";
            shards: components["schemas"]["TonBlockIdExt"][];
        };
        ShardsRequest: {
            /** @description Seqno of the masterchain block. */
            seqno: number;
        };
        ShardsResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["Shards"];
        };
        ShortTxId: {
            /** @constant */
            "@type": "blocks.shortTxId";
            account: string;
            hash: string;
            lt: string;
            mode: number;
        };
        SmcAddr: {
            /** @constant */
            "@type": "addr_std";
            address: string;
            workchain_id: number;
        };
        TokenContent: components["schemas"]["TokenContentOffchain"] | components["schemas"]["TokenContentOnchain"];
        TokenContentDict: {
            amount_style?: string;
            decimals?: string;
            description?: string;
            image?: string;
            image_data?: string;
            name?: string;
            render_type?: string;
            symbol?: string;
            uri?: string;
        };
        TokenContentOffchain: {
            data: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "offchain";
        };
        TokenContentOnchain: {
            data: components["schemas"]["TokenContentDict"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "onchain";
        };
        TokenData: components["schemas"]["JettonMasterData"] | components["schemas"]["JettonWalletData"] | components["schemas"]["NftCollectionData"] | components["schemas"]["NftItemData"];
        TokenDataRequest: {
            /** @description Account address: raw, friendly (base64 or base64url), or 64 hex digits for the masterchain. */
            address: string;
            /** @description Seqno of the masterchain block to read from; the newest block when left out. */
            seqno?: number;
        };
        TokenDataResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["TokenData"];
        };
        TonBlockIdExt: {
            /** @constant */
            "@type": "ton.blockIdExt";
            file_hash: string;
            root_hash: string;
            seqno: number;
            shard: string;
            workchain: number;
        };
        Transaction: {
            /** @constant */
            "@type": "ext.transaction";
            account: string;
            address: components["schemas"]["AccountAddress"];
            data: string;
            fee: string;
            in_msg?: components["schemas"]["Message"];
            other_fee: string;
            out_msgs: components["schemas"]["Message"][];
            storage_fee: string;
            transaction_id: components["schemas"]["InternalTransactionId"];
            utime: number;
        };
        TransactionExt: {
            /** @constant */
            "@type": "raw.transactionExt";
            account: string;
            address: components["schemas"]["AccountAddress"];
            data: string;
            fee: string;
            in_msg?: components["schemas"]["MessageStd"];
            other_fee: string;
            out_msgs: components["schemas"]["MessageStd"][];
            storage_fee: string;
            transaction_id: components["schemas"]["InternalTransactionId"];
            utime: number;
        };
        TransactionsRequest: {
            /** @description Account address: raw, friendly (base64 or base64url), or 64 hex digits for the masterchain. */
            address: string;
            /** @description With true, only archive lite servers are used. */
            archival?: boolean;
            /** @description Hash of the newest transaction to return; together with lt. */
            hash?: string;
            /** @description Maximum number of transactions. Default: `10`. */
            limit?: number;
            /** @description Logical time of the newest transaction to return; together with hash. */
            lt?: number | string;
            /** @description Only transactions after this logical time are returned. */
            to_lt?: number | string;
        };
        TransactionsResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["Transaction"][];
        };
        TransactionsStd: {
            /** @constant */
            "@type": "raw.transactions";
            previous_transaction_id: components["schemas"]["InternalTransactionId"];
            transactions: components["schemas"]["TransactionStd"][];
        };
        TransactionsStdResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["TransactionsStd"];
        };
        TransactionStd: {
            /** @constant */
            "@type": "raw.transaction";
            address: components["schemas"]["AccountAddress"];
            data: string;
            fee: string;
            in_msg?: components["schemas"]["MessageStd"];
            other_fee: string;
            out_msgs: components["schemas"]["MessageStd"][];
            storage_fee: string;
            transaction_id: components["schemas"]["InternalTransactionId"];
            utime: number;
        };
        TryLocateSourceTxRequest: {
            /** @description Logical time at which the message was created. */
            created_lt: number | string;
            /** @description Account that receives the message. */
            destination: string;
            /** @description Account that sent the message. */
            source: string;
        };
        TryLocateSourceTxResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["Transaction"];
        };
        TryLocateTxRequest: {
            /** @description Logical time at which the message was created. */
            created_lt: number | string;
            /** @description Account that receives the message. */
            destination: string;
            /** @description Account that sent the message. */
            source: string;
        };
        TryLocateTxResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["Transaction"];
        };
        TvmCell: {
            /** @constant */
            "@type": "tvm.cell";
            bytes: string;
        };
        TvmList: {
            /** @constant */
            "@type": "tvm.list";
            elements: components["schemas"]["TvmStackEntry"][];
        };
        TvmNumberDecimal: {
            /** @constant */
            "@type": "tvm.numberDecimal";
            number: string;
        };
        TvmSlice: {
            /** @constant */
            "@type": "tvm.slice";
            bytes: string;
        };
        TvmStackEntry: components["schemas"]["TvmStackEntryNumber"] | components["schemas"]["TvmStackEntryCell"] | components["schemas"]["TvmStackEntrySlice"] | components["schemas"]["TvmStackEntryTuple"] | components["schemas"]["TvmStackEntryList"] | components["schemas"]["TvmStackEntryUnsupported"];
        TvmStackEntryCell: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "tvm.stackEntryCell";
            cell: components["schemas"]["TvmCell"];
        };
        TvmStackEntryList: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "tvm.stackEntryList";
            list: components["schemas"]["TvmList"];
        };
        TvmStackEntryNumber: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "tvm.stackEntryNumber";
            number: components["schemas"]["TvmNumberDecimal"];
        };
        TvmStackEntrySlice: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "tvm.stackEntrySlice";
            slice: components["schemas"]["TvmSlice"];
        };
        TvmStackEntryTuple: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "tvm.stackEntryTuple";
            tuple: components["schemas"]["TvmTuple"];
        };
        TvmStackEntryUnsupported: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            "@type": "tvm.stackEntryUnsupported";
        };
        TvmTuple: {
            /** @constant */
            "@type": "tvm.tuple";
            elements: components["schemas"]["TvmStackEntry"][];
        };
        UnpackAddressRequest: {
            /** @description Account address: raw, friendly (base64 or base64url), or 64 hex digits for the masterchain. */
            address: string;
        };
        UnpackAddressResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: string;
        };
        WalletInformation: {
            /** @constant */
            "@type": "ext.accounts.walletInformation";
            account_state: components["schemas"]["AccountStateEnum"];
            balance: string;
            is_signature_allowed?: boolean;
            last_transaction_id: components["schemas"]["InternalTransactionId"];
            seqno?: number;
            wallet: boolean;
            wallet_id?: number;
            wallet_type?: string;
        };
        WalletInformationRequest: {
            /** @description Account address: raw, friendly (base64 or base64url), or 64 hex digits for the masterchain. */
            address: string;
            /** @description Seqno of the masterchain block to read from; the newest block when left out. */
            seqno?: number;
        };
        WalletInformationResponse: {
            "@extra": string;
            /** @constant */
            ok: true;
            result: components["schemas"]["WalletInformation"];
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
        /** @description Lite servers did not respond in time, or the request took too long */
        Error504: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No suitable lite server */
        Error542: {
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
    detectAddress_get: {
        parameters: {
            query: {
                /** @description Account address: raw, friendly (base64 or base64url), or 64 hex digits for the masterchain. */
                address: string;
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["DetectAddressResponse"];
                };
            };
        };
    };
    detectAddress_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DetectAddressRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetectAddressResponse"];
                };
            };
        };
    };
    detectHash_get: {
        parameters: {
            query: {
                /** @description 256-bit hash: hex, base64, or base64url. */
                hash: string;
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["DetectHashResponse"];
                };
            };
        };
    };
    detectHash_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DetectHashRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DetectHashResponse"];
                };
            };
        };
    };
    dnsResolve_get: {
        parameters: {
            query: {
                /** @description Address of the resolver contract. */
                address: string;
                /** @description Category of records: its name (`wallet`, `site`, `storage`, `dns_next_resolver` or another one) or its hash in hex or base64; all records when left out. */
                category?: string;
                /** @description Domain name to resolve; when left out, the records of the contract itself. */
                name?: string;
                /** @description Seqno of the masterchain block to read from; the newest block when left out. */
                seqno?: number;
                /** @description Maximum number of further resolvers to ask. */
                ttl?: number;
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["DnsResolveResponse"];
                };
            };
        };
    };
    dnsResolve_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DnsResolveRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DnsResolveResponse"];
                };
            };
        };
    };
    estimateFee_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EstimateFeeRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EstimateFeeResponse"];
                };
            };
        };
    };
    estimateFeeSimple_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EstimateFeeSimpleRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EstimateFeeSimpleResponse"];
                };
            };
        };
    };
    getAddressBalance_get: {
        parameters: {
            query: {
                /** @description Account address: raw, friendly (base64 or base64url), or 64 hex digits for the masterchain. */
                address: string;
                /** @description Seqno of the masterchain block to read from; the newest block when left out. */
                seqno?: number;
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["AddressBalanceResponse"];
                };
            };
        };
    };
    getAddressBalance_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddressBalanceRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddressBalanceResponse"];
                };
            };
        };
    };
    getAddressInformation_get: {
        parameters: {
            query: {
                /** @description Account address: raw, friendly (base64 or base64url), or 64 hex digits for the masterchain. */
                address: string;
                /** @description Seqno of the masterchain block to read from; the newest block when left out. */
                seqno?: number;
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["AddressInformationResponse"];
                };
            };
        };
    };
    getAddressInformation_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddressInformationRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddressInformationResponse"];
                };
            };
        };
    };
    getAddressState_get: {
        parameters: {
            query: {
                /** @description Account address: raw, friendly (base64 or base64url), or 64 hex digits for the masterchain. */
                address: string;
                /** @description Seqno of the masterchain block to read from; the newest block when left out. */
                seqno?: number;
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["AddressStateResponse"];
                };
            };
        };
    };
    getAddressState_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddressStateRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddressStateResponse"];
                };
            };
        };
    };
    getBlockHeader_get: {
        parameters: {
            query: {
                /** @description File hash of the block; only used together with root_hash. */
                file_hash?: string;
                /** @description Root hash of the block; only used together with file_hash. */
                root_hash?: string;
                /** @description Seqno of the block in its shard. */
                seqno: number;
                /** @description Shard id as a signed decimal or in hex. */
                shard: string;
                /** @description Workchain: -1 is the masterchain, 0 the basechain. */
                workchain: number;
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["BlockHeaderResponse"];
                };
            };
        };
    };
    getBlockHeader_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BlockHeaderRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlockHeaderResponse"];
                };
            };
        };
    };
    getBlockTransactions_get: {
        parameters: {
            query: {
                /** @description Account of the last transaction seen (not the hash of the transaction): an address in any form, or its hash. */
                after_hash?: string;
                /** @description Logical time of the last transaction seen; together with after_hash. */
                after_lt?: number | string;
                /** @description Maximum number of transactions. */
                count?: number;
                /** @description File hash of the block; only used together with root_hash. */
                file_hash?: string;
                /** @description Root hash of the block; only used together with file_hash. */
                root_hash?: string;
                /** @description Seqno of the block in its shard. */
                seqno: number;
                /** @description Shard id as a signed decimal or in hex. */
                shard: string;
                /** @description Workchain: -1 is the masterchain, 0 the basechain. */
                workchain: number;
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["BlockTransactionsResponse"];
                };
            };
        };
    };
    getBlockTransactions_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BlockTransactionsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlockTransactionsResponse"];
                };
            };
        };
    };
    getBlockTransactionsExt_get: {
        parameters: {
            query: {
                /** @description Account of the last transaction seen (not the hash of the transaction): an address in any form, or its hash. */
                after_hash?: string;
                /** @description Logical time of the last transaction seen; together with after_hash. */
                after_lt?: number | string;
                /** @description Maximum number of transactions. */
                count?: number;
                /** @description File hash of the block; only used together with root_hash. */
                file_hash?: string;
                /** @description Root hash of the block; only used together with file_hash. */
                root_hash?: string;
                /** @description Seqno of the block in its shard. */
                seqno: number;
                /** @description Shard id as a signed decimal or in hex. */
                shard: string;
                /** @description Workchain: -1 is the masterchain, 0 the basechain. */
                workchain: number;
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["BlockTransactionsExtResponse"];
                };
            };
        };
    };
    getBlockTransactionsExt_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BlockTransactionsExtRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlockTransactionsExtResponse"];
                };
            };
        };
    };
    getConfigAll_get: {
        parameters: {
            query?: {
                /** @description Seqno of the masterchain block to read from; the newest block when left out. */
                seqno?: number;
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["ConfigAllResponse"];
                };
            };
        };
    };
    getConfigAll_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ConfigAllRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfigAllResponse"];
                };
            };
        };
    };
    getConfigParam_get: {
        parameters: {
            query?: {
                /** @description Old name of `param`. */
                config_id?: number;
                /** @description Number of the config param. */
                param?: number;
                /** @description Seqno of the masterchain block to read from; the newest block when left out. */
                seqno?: number;
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["ConfigParamResponse"];
                };
            };
        };
    };
    getConfigParam_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ConfigParamRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfigParamResponse"];
                };
            };
        };
    };
    getConsensusBlock_get: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["ConsensusBlockResponse"];
                };
            };
        };
    };
    getConsensusBlock_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ConsensusBlockRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsensusBlockResponse"];
                };
            };
        };
    };
    getExtendedAddressInformation_get: {
        parameters: {
            query: {
                /** @description Account address: raw, friendly (base64 or base64url), or 64 hex digits for the masterchain. */
                address: string;
                /** @description Seqno of the masterchain block to read from; the newest block when left out. */
                seqno?: number;
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["ExtendedAddressInformationResponse"];
                };
            };
        };
    };
    getExtendedAddressInformation_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExtendedAddressInformationRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExtendedAddressInformationResponse"];
                };
            };
        };
    };
    getLibraries_get: {
        parameters: {
            query?: {
                /** @description Hash of a library; may be repeated. */
                libraries?: string[];
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["LibrariesResponse"];
                };
            };
        };
    };
    getLibraries_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LibrariesRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LibrariesResponse"];
                };
            };
        };
    };
    getMasterchainBlockSignatures_get: {
        parameters: {
            query: {
                /** @description Seqno of the masterchain block. */
                seqno: number;
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["MasterchainBlockSignaturesResponse"];
                };
            };
        };
    };
    getMasterchainBlockSignatures_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MasterchainBlockSignaturesRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MasterchainBlockSignaturesResponse"];
                };
            };
        };
    };
    getMasterchainInfo_get: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["MasterchainInfoResponse"];
                };
            };
        };
    };
    getMasterchainInfo_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MasterchainInfoRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MasterchainInfoResponse"];
                };
            };
        };
    };
    getOutMsgQueueSize_get: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["OutMsgQueueSizeResponse"];
                };
            };
        };
    };
    getOutMsgQueueSize_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OutMsgQueueSizeRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutMsgQueueSizeResponse"];
                };
            };
        };
    };
    getOutMsgQueueSizes_get: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["OutMsgQueueSizeResponse"];
                };
            };
        };
    };
    getOutMsgQueueSizes_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OutMsgQueueSizeRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutMsgQueueSizeResponse"];
                };
            };
        };
    };
    getShardAccountCell_get: {
        parameters: {
            query: {
                /** @description Account address: raw, friendly (base64 or base64url), or 64 hex digits for the masterchain. */
                address: string;
                /** @description Seqno of the masterchain block to read from; the newest block when left out. */
                seqno?: number;
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["ShardAccountCellResponse"];
                };
            };
        };
    };
    getShardAccountCell_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShardAccountCellRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShardAccountCellResponse"];
                };
            };
        };
    };
    getShardBlockProof_get: {
        parameters: {
            query: {
                /** @description Seqno of the masterchain block to start from; the newest when left out. */
                from_seqno?: number;
                /** @description Seqno of the block in its shard. */
                seqno: number;
                /** @description Shard id as a signed decimal or in hex. */
                shard: string;
                /** @description Workchain: -1 is the masterchain, 0 the basechain. */
                workchain: number;
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["ShardBlockProofResponse"];
                };
            };
        };
    };
    getShardBlockProof_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShardBlockProofRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShardBlockProofResponse"];
                };
            };
        };
    };
    getShards_get: {
        parameters: {
            query: {
                /** @description Seqno of the masterchain block. */
                seqno: number;
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["ShardsResponse"];
                };
            };
        };
    };
    getShards_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShardsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShardsResponse"];
                };
            };
        };
    };
    getTokenData_get: {
        parameters: {
            query: {
                /** @description Account address: raw, friendly (base64 or base64url), or 64 hex digits for the masterchain. */
                address: string;
                /** @description Seqno of the masterchain block to read from; the newest block when left out. */
                seqno?: number;
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["TokenDataResponse"];
                };
            };
        };
    };
    getTokenData_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenDataRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenDataResponse"];
                };
            };
        };
    };
    getTransactions_get: {
        parameters: {
            query: {
                /** @description Account address: raw, friendly (base64 or base64url), or 64 hex digits for the masterchain. */
                address: string;
                /** @description With true, only archive lite servers are used. */
                archival?: boolean;
                /** @description Hash of the newest transaction to return; together with lt. */
                hash?: string;
                /** @description Maximum number of transactions. */
                limit?: number;
                /** @description Logical time of the newest transaction to return; together with hash. */
                lt?: number | string;
                /** @description Only transactions after this logical time are returned. */
                to_lt?: number | string;
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
    getTransactions_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
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
    getTransactionsStd_get: {
        parameters: {
            query: {
                /** @description Account address: raw, friendly (base64 or base64url), or 64 hex digits for the masterchain. */
                address: string;
                /** @description With true, only archive lite servers are used. */
                archival?: boolean;
                /** @description Hash of the newest transaction to return; together with lt. */
                hash?: string;
                /** @description Maximum number of transactions. */
                limit?: number;
                /** @description Logical time of the newest transaction to return; together with hash. */
                lt?: number | string;
                /** @description Only transactions after this logical time are returned. */
                to_lt?: number | string;
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["TransactionsStdResponse"];
                };
            };
        };
    };
    getTransactionsStd_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
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
                    "application/json": components["schemas"]["TransactionsStdResponse"];
                };
            };
        };
    };
    getWalletInformation_get: {
        parameters: {
            query: {
                /** @description Account address: raw, friendly (base64 or base64url), or 64 hex digits for the masterchain. */
                address: string;
                /** @description Seqno of the masterchain block to read from; the newest block when left out. */
                seqno?: number;
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["WalletInformationResponse"];
                };
            };
        };
    };
    getWalletInformation_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WalletInformationRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletInformationResponse"];
                };
            };
        };
    };
    healthcheck_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description At least one lite server is live; the body is empty */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    jsonRPC_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JsonRpcRequest"] | components["schemas"]["JsonRpcRequest"][];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcSuccess"] | components["schemas"]["JsonRpcResponse"][];
                };
            };
        };
    };
    lookupBlock_get: {
        parameters: {
            query: {
                /** @description Logical time within the block. */
                lt?: number | string;
                /** @description Seqno of the block in its shard. */
                seqno?: number;
                /** @description Shard id as a signed decimal or in hex. */
                shard: string;
                /** @description Unix time of the block, in seconds. */
                unixtime?: number;
                /** @description Workchain: -1 is the masterchain, 0 the basechain. */
                workchain: number;
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["LookupBlockResponse"];
                };
            };
        };
    };
    lookupBlock_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LookupBlockRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LookupBlockResponse"];
                };
            };
        };
    };
    packAddress_get: {
        parameters: {
            query: {
                /** @description Account address: raw, friendly (base64 or base64url), or 64 hex digits for the masterchain. */
                address: string;
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["PackAddressResponse"];
                };
            };
        };
    };
    packAddress_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PackAddressRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PackAddressResponse"];
                };
            };
        };
    };
    runGetMethod_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunGetMethodRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunGetMethodResponse"];
                };
            };
        };
    };
    runGetMethodStd_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunGetMethodStdRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunGetMethodStdResponse"];
                };
            };
        };
    };
    sendBoc_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendBocRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendBocResponse"];
                };
            };
        };
    };
    sendBocReturnHash_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendBocReturnHashRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendBocReturnHashResponse"];
                };
            };
        };
    };
    sendBocReturnHashNoError_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendBocReturnHashNoErrorRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendBocReturnHashNoErrorResponse"];
                };
            };
        };
    };
    sendBocUnsafe_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendBocUnsafeRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendBocUnsafeResponse"];
                };
            };
        };
    };
    sendCellSimple_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendCellSimpleRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendCellSimpleResponse"];
                };
            };
        };
    };
    sendQuery_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendQueryRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendQueryResponse"];
                };
            };
        };
    };
    sendQuerySimple_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendQuerySimpleRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendQuerySimpleResponse"];
                };
            };
        };
    };
    shards_get: {
        parameters: {
            query: {
                /** @description Seqno of the masterchain block. */
                seqno: number;
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["ShardsResponse"];
                };
            };
        };
    };
    shards_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShardsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShardsResponse"];
                };
            };
        };
    };
    tryLocateResultTx_get: {
        parameters: {
            query: {
                /** @description Logical time at which the message was created. */
                created_lt: number | string;
                /** @description Account that receives the message. */
                destination: string;
                /** @description Account that sent the message. */
                source: string;
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["TryLocateTxResponse"];
                };
            };
        };
    };
    tryLocateResultTx_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TryLocateTxRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TryLocateTxResponse"];
                };
            };
        };
    };
    tryLocateSourceTx_get: {
        parameters: {
            query: {
                /** @description Logical time at which the message was created. */
                created_lt: number | string;
                /** @description Account that receives the message. */
                destination: string;
                /** @description Account that sent the message. */
                source: string;
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["TryLocateSourceTxResponse"];
                };
            };
        };
    };
    tryLocateSourceTx_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TryLocateSourceTxRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TryLocateSourceTxResponse"];
                };
            };
        };
    };
    tryLocateTx_get: {
        parameters: {
            query: {
                /** @description Logical time at which the message was created. */
                created_lt: number | string;
                /** @description Account that receives the message. */
                destination: string;
                /** @description Account that sent the message. */
                source: string;
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["TryLocateTxResponse"];
                };
            };
        };
    };
    tryLocateTx_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TryLocateTxRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TryLocateTxResponse"];
                };
            };
        };
    };
    unpackAddress_get: {
        parameters: {
            query: {
                /** @description Account address: raw, friendly (base64 or base64url), or 64 hex digits for the masterchain. */
                address: string;
            };
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
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
                    "application/json": components["schemas"]["UnpackAddressResponse"];
                };
            };
        };
    };
    unpackAddress_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`. */
                "X-Strict-Params"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UnpackAddressRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnpackAddressResponse"];
                };
            };
        };
    };
}
