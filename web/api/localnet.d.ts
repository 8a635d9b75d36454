// Written by `npm run web:types` from openapi/localnet.json.
export interface paths {
    "/localnet/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move the chain's clock forward
         * @description Messages that are valid until an earlier time are not accepted any more: wallets must compute that time from the clock of the chain.
         */
        post: operations["advance_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/localnet/fund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send TON from the faucet
         * @description Responds when the money has arrived.
         */
        post: operations["fund_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/localnet/mine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make blocks at once
         * @description They are made at once, whatever the block interval; queued messages go into the first of them.
         */
        post: operations["mine_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/localnet/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put the chain back to a snapshot
         * @description The response comes when v2 and v3 of this process agree with the restored chain, or says why v3 does not.
         */
        post: operations["restore_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/localnet/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put a new validator in the place of the present one
         * @description The new validator set is active from a key block on.
         */
        post: operations["rotate_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/localnet/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Keep the chain as it is now
         * @description A snapshot of the same name is replaced.
         */
        post: operations["snapshot_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/localnet/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of the chain
         * @description The newest block, the clock, shards, snapshots, the lite server and the faucet.
         */
        get: operations["status_get"];
        put?: never;
        post?: never;
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
        AdvanceRequest: {
            /** @description Seconds, 1 or more. */
            seconds: number;
        };
        AdvanceResponse: {
            /** @constant */
            ok: true;
            result: {
                /** @description How wallets work on a chain whose clock is ahead. */
                hint: string;
                /** @description How far that clock is ahead of the machine. */
                offset_seconds: number;
                /** @description Its root hash in hex. */
                root_hash: string;
                /** @description Seqno of the newest masterchain block. */
                seqno: number;
                /** @description Clock of the chain, unix seconds. */
                time: number;
            };
        };
        Error: {
            code: number;
            error: string;
            /** @constant */
            ok: false;
        };
        FundRequest: {
            /** @description An account address in any form. */
            address: string;
            /** @description TON, with up to 9 digits after the point. */
            amount: string | number;
        };
        FundResponse: {
            /** @constant */
            ok: true;
            result: {
                /** @description Raw form. */
                address: string;
                /** @description TON. */
                amount: string;
                /** @description Its root hash in hex. */
                root_hash: string;
                /** @description Seqno of the newest masterchain block. */
                seqno: number;
            };
        };
        MineRequest: {
            /** @description Masterchain blocks to make. Default: `1`. */
            count?: number;
        };
        MineResponse: {
            /** @constant */
            ok: true;
            result: {
                /** @description Its root hash in hex. */
                root_hash: string;
                /** @description Seqno of the newest masterchain block. */
                seqno: number;
            };
        };
        RestoreRequest: {
            /** @description Name of the snapshot: letters, digits, `.`, `_` and `-`. */
            name: string;
        };
        RestoreResponse: {
            /** @constant */
            ok: true;
            result: {
                /** @description The index; left out where there is none. */
                index?: {
                    /** @description Whether the newest indexed block is one of the chain, and not before the restored one. */
                    agrees: boolean;
                    /** @description Why it does not agree. */
                    reason?: string;
                    /** @description The newest indexed masterchain block; null while nothing is indexed. */
                    seqno: number | null;
                };
                name: string;
                /** @description Its root hash in hex. */
                root_hash: string;
                /** @description Seqno of the newest masterchain block. */
                seqno: number;
            };
        };
        RotateRequest: Record<string, never>;
        RotateResponse: {
            /** @constant */
            ok: true;
            result: {
                /** @description Its root hash in hex. */
                root_hash: string;
                /** @description Seqno of the newest masterchain block. */
                seqno: number;
                /** @description Number of the set. */
                validator_set: number;
            };
        };
        SnapshotRequest: {
            /** @description Name of the snapshot: letters, digits, `.`, `_` and `-`. */
            name: string;
        };
        SnapshotResponse: {
            /** @constant */
            ok: true;
            result: {
                name: string;
                /** @description Its root hash in hex. */
                root_hash: string;
                /** @description Seqno of the newest masterchain block. */
                seqno: number;
            };
        };
        StatusResponse: {
            /** @constant */
            ok: true;
            result: {
                /** @description Time between blocks. */
                block_ms: number;
                /** @description Unix time of that block. */
                block_time: number;
                faucet: {
                    address: string;
                    /** @description Public: never send anything of value to this wallet. */
                    mnemonic: string;
                };
                /** @description Why no more blocks are made. */
                fault?: string;
                lite_server: {
                    /** @description Path of the global config for lite clients. */
                    config: string;
                    host: string;
                    port: number;
                    /** @description Base64. */
                    public_key: string;
                };
                /** @description When blocks are made: `interval` or `message`. */
                mine: string;
                /** @description How far that clock is ahead of the machine. */
                offset_seconds: number;
                /** @description Its root hash in hex. */
                root_hash: string;
                /** @description Seqno of the newest masterchain block. */
                seqno: number;
                /** @description Shards of the basechain. */
                shards: number;
                snapshots: string[];
                /** @description Clock of the chain, unix seconds. */
                time: number;
                /** @description Messages that are not in a block yet. */
                waiting_messages: number;
            };
        };
    };
    responses: {
        /** @description A parameter is missing, malformed or unknown; the text names it */
        Error400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request is not from this machine */
        Error403: {
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
        /** @description Unexpected error */
        Error500: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The chain is stopped or overloaded */
        Error503: {
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
    advance_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdvanceRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdvanceResponse"];
                };
            };
        };
    };
    fund_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FundRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FundResponse"];
                };
            };
        };
    };
    mine_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MineRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MineResponse"];
                };
            };
        };
    };
    restore_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RestoreRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestoreResponse"];
                };
            };
        };
    };
    rotate_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotateResponse"];
                };
            };
        };
    };
    snapshot_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SnapshotRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SnapshotResponse"];
                };
            };
        };
    };
    status_get: {
        parameters: {
            query?: never;
            header?: never;
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
                    "application/json": components["schemas"]["StatusResponse"];
                };
            };
        };
    };
}
