// Written by `npm run web:types` from openapi/admin.json.
export interface paths {
    "/api/admin/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the keys, without their secrets */
        get: operations["keys"];
        put?: never;
        /**
         * Create a key
         * @description The response has the key itself, which is not stored and not shown again.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/keys/{id}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give a key another plan */
        post: operations["changeKeyPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/keys/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a key
         * @description It stops working in every process within five seconds, for good.
         */
        post: operations["revokeKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/owners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the owners of keys */
        get: operations["owners"];
        put?: never;
        /**
         * Create an owner
         * @description With a plan, all keys of the owner have it and share its rate.
         */
        post: operations["createOwner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/owners/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke all keys of an owner */
        post: operations["revokeKeysOfOwner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/owners/{id}/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give all keys of an owner one plan, whose rate they share */
        post: operations["shareOwnerPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/owners/{id}/unshare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give each key of an owner its own rate again */
        post: operations["unshareOwnerPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the plans */
        get: operations["plans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the usage of all keys
         * @description Sums by what `by` names; members that it does not name are null. Callers without a key have a null `key_id`. Rows of the interface `events` count events of streams and requests to webhooks.
         */
        get: operations["usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all webhooks */
        get: operations["webhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks/{id}/dead": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List events of a webhook that were given up */
        get: operations["deadEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks/{id}/dead/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send events that were given up again */
        post: operations["retryDeadEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop sending to a webhook; events wait */
        post: operations["pauseWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Go on sending to a webhook */
        post: operations["resumeWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a summary of how the server is
         * @description Of the process that answers; needs no key.
         */
        get: operations["dashboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboard/details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get details, and samples of the last hour
         * @description Of the process that answers.
         */
        get: operations["dashboardDetails"];
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
        ChangeKeyPlanRequest: {
            /** @description Name of a plan; `free` if left out. */
            plan?: string;
            /** @description Requests per second; those of the plan if left out. */
            rps?: number;
        };
        CreateKeyRequest: {
            /** @description Name of the key. */
            name: string;
            /** @description Networks that the key is good for; all if left out. */
            networks?: string[];
            /** @description Name of the owner, who is created if there is none. */
            owner?: string;
            /** @description Name of a plan; `free` if left out. */
            plan?: string;
            /** @description Requests per second; those of the plan if left out. */
            rps?: number;
        };
        CreateOwnerRequest: {
            /** @description Name of the owner. */
            name: string;
            /** @description Name of a plan; `free` if left out. */
            plan?: string;
            /** @description Requests per second; those of the plan if left out. */
            rps?: number;
        };
        DashboardDetails: {
            database: {
                /** @description Size; null if unknown. */
                bytes: number | null;
                /** @description Growth in the sampled time, per hour; null if unknown. */
                bytes_per_hour: number | null;
                pools: {
                    idle: number;
                    /** @description Lag of a replica; null if unknown. */
                    lag_ms: number | null;
                    name: string;
                    total: number;
                    waiting: number;
                }[];
            };
            grafana_url: string | null;
            /** @description Time between two samples. */
            interval_seconds: number;
            /** @description Of the indexer. */
            last_error: string | null;
            lite_servers: {
                archival: boolean;
                failures: number;
                group: string;
                in_flight: number;
                index: number;
                /** @description Blocks behind; null if unknown. */
                lag_blocks: number | null;
                latency_ms: number;
                /** @description Host and port. */
                name: string;
                queued: number;
                /** @description Newest block; null if unknown. */
                seqno: number | null;
                state: string;
                wrong_answers: number;
            }[];
            operations: {
                /** @description Requests of the last hour by minute, oldest first. */
                by_minute: number[];
                errors_per_second: number;
                interface: string;
                limited_per_second: number;
                operation: string;
                /** @description Median duration; null if unknown. */
                p50_ms: number | null;
                /** @description 99th percentile of the duration; null if unknown. */
                p99_ms: number | null;
                /** @description In the last minute. */
                requests_per_second: number;
            }[];
            /** @description Rejected requests and connections since the start. */
            refused: {
                count: number;
                reason: string;
            }[];
            samples: {
                /** @description Unix seconds. */
                at: number[];
                series: {
                    actions_lag_seconds: (number | null)[];
                    database_bytes: (number | null)[];
                    errors_per_second: (number | null)[];
                    event_loop_ms: (number | null)[];
                    head_age_seconds: (number | null)[];
                    index_lag_seqnos: (number | null)[];
                    index_percent: (number | null)[];
                    limited_per_second: (number | null)[];
                    lite_latency_ms: (number | null)[];
                    lite_live: (number | null)[];
                    memory_bytes: (number | null)[];
                    p50_ms: (number | null)[];
                    p99_ms: (number | null)[];
                    requests_per_second: (number | null)[];
                    streams: (number | null)[];
                    vm_busy: (number | null)[];
                    vm_queued: (number | null)[];
                    webhook_waiting: (number | null)[];
                };
            };
            streams: {
                queued_messages: number;
                sse: number;
                watched: number;
                websocket: number;
            } | null;
            vm: {
                busy: number;
                queued: number;
                threads: number;
            };
            webhooks: {
                dead: number;
                oldest_seconds: number;
                waiting: number;
                webhooks: number;
            } | null;
        };
        DashboardSummary: {
            head: {
                /** @description Its age; null if unknown. */
                age_seconds: number | null;
                /** @description Seqno of the newest masterchain block; null if unknown. */
                seqno: number | null;
            };
            index: {
                /** @description How long the oldest indexed trace has waited for its actions; null if unknown. */
                actions_lag_seconds: number | null;
                /** @description Time until all is indexed; null if unknown. */
                eta_seconds: number | null;
                /** @description Seqnos behind the head; null if unknown. */
                lag_seqnos: number | null;
                /** @description Newest indexed seqno; null if unknown. */
                last_seqno: number | null;
                /** @description Indexed share of the history; null if unknown. */
                percent: number | null;
                /** @description Speed; null if unknown. */
                seqnos_per_second: number | null;
                /** @description State of the indexer of this process; null if it has none. */
                state: string | null;
            };
            /** @description Whether details need a key. */
            needs_admin_key: boolean;
            network: string;
            requests: {
                errors_per_second: number;
                limited_per_second: number;
                /** @description Median duration; null if unknown. */
                p50_ms: number | null;
                /** @description 99th percentile of the duration; null if unknown. */
                p99_ms: number | null;
                per_second: number;
            };
            uptime_seconds: number;
            version: string;
        };
        DeadEvent: {
            address: string | null;
            /** @description What is sent. */
            body: unknown;
            /** @description Unix seconds. */
            created_at: number;
            /** @description Unix seconds. */
            dead_at: number;
            error: string | null;
            event_id: string;
            /** @description Order of events; the parameter `after` takes it. */
            number: string;
            tries: number;
        };
        Error: {
            code: number;
            error: string;
        };
        Key: {
            /** @description Unix seconds. */
            created_at: number;
            id: string;
            /** @description Unix seconds; null if it was never used. */
            last_used_at: number | null;
            name: string;
            /** @description Empty for all. */
            networks: string[];
            owner: {
                id: string;
                name: string;
                shared: {
                    plan: string;
                    rps: number;
                } | null;
            } | null;
            plan: string;
            /** @description Unix seconds; null if it is valid. */
            revoked_at: number | null;
            /** @description Requests per second, unless the owner shares a plan. */
            rps: number;
        };
        Owner: {
            /** @description Unix seconds. */
            created_at: number;
            id: string;
            /** @description Keys that are not revoked. */
            keys: number;
            name: string;
            shared: {
                plan: string;
                rps: number;
            } | null;
        };
        RetryDeadEventsRequest: {
            /** @description Ids of events; all if left out. */
            event_ids?: string[];
        };
        ShareOwnerPlanRequest: {
            /** @description Name of a plan; `free` if left out. */
            plan?: string;
            /** @description Requests per second; those of the plan if left out. */
            rps?: number;
        };
        Usage: {
            from: string;
            to: string;
            usage: {
                day: string | null;
                /** @description Of these, calls that failed here (5xx). */
                failed: number;
                interface: string | null;
                key: string | null;
                key_id: string | null;
                /** @description Of these, calls above the rate (429). */
                limited: number;
                operation: string | null;
                owner: string | null;
                owner_id: string | null;
                /** @description Of these, other calls that were wrong (4xx). */
                rejected: number;
                /** @description All calls. */
                requests: number;
            }[];
        };
        Webhook: {
            /** @description Empty for all. */
            action_types: string[];
            /** @description How many addresses it watches. */
            addresses: number;
            /** @description Unix seconds. */
            created_at: number;
            /** @description Events that were given up. */
            dead: number;
            /** @description Events that arrived. */
            delivered: number;
            failed_attempts: number;
            id: string;
            include_address_book: boolean;
            include_metadata: boolean;
            /** @description Why it failed. */
            last_failure: string | null;
            /** @description When an attempt failed last, unix seconds. */
            last_failure_at: number | null;
            /** @description When an event arrived last, unix seconds. */
            last_success_at: number | null;
            /** @description When the oldest of them was queued, unix seconds. */
            oldest_waiting_at: number | null;
            /** @enum {string} */
            state: "active" | "paused";
            types: string[];
            url: string;
            /** @description Events that wait to be sent. */
            waiting: number;
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
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    keys: {
        parameters: {
            query?: {
                /** @description Id of an owner; keys of all if left out. */
                owner?: string;
            };
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
                    "application/json": {
                        keys: components["schemas"]["Key"][];
                    };
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateKeyRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"] & {
                        key: string;
                    };
                };
            };
        };
    };
    changeKeyPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a decimal number as text. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeKeyPlanRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a decimal number as text. */
                id: string;
            };
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
                    "application/json": components["schemas"]["Key"];
                };
            };
        };
    };
    owners: {
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
                    "application/json": {
                        owners: components["schemas"]["Owner"][];
                    };
                };
            };
        };
    };
    createOwner: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOwnerRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Owner"];
                };
            };
        };
    };
    revokeKeysOfOwner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a decimal number as text. */
                id: string;
            };
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
                    "application/json": {
                        /** @description Keys that were valid until now. */
                        revoked: number;
                    };
                };
            };
        };
    };
    shareOwnerPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a decimal number as text. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ShareOwnerPlanRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Owner"];
                };
            };
        };
    };
    unshareOwnerPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a decimal number as text. */
                id: string;
            };
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
                    "application/json": components["schemas"]["Owner"];
                };
            };
        };
    };
    plans: {
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
                    "application/json": {
                        default: string;
                        plans: {
                            description: string;
                            name: string;
                            rps: number;
                        }[];
                    };
                };
            };
        };
    };
    usage: {
        parameters: {
            query?: {
                /** @description What to sum up by, separated by commas; `day` if left out. */
                by?: ("owner" | "key" | "operation" | "day")[];
                /** @description First day (UTC), such as `2026-03-01`; 30 days up to `to` if left out. */
                from?: string;
                /** @description An interface such as `v2`. */
                interface?: string;
                /** @description Id of a key; `0` for callers without one. */
                key?: string;
                /** @description Rows at most. */
                limit?: number;
                /** @description An operation such as `getTransactions`. */
                operation?: string;
                /** @description Id of an owner. */
                owner?: string;
                /** @description Last day (UTC); today if left out. */
                to?: string;
            };
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
                    "application/json": components["schemas"]["Usage"];
                };
            };
        };
    };
    webhooks: {
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
                    "application/json": {
                        webhooks: (components["schemas"]["Webhook"] & {
                            /** @description Null for those of the operator. */
                            key_id: string | null;
                        })[];
                    };
                };
            };
        };
    };
    deadEvents: {
        parameters: {
            query?: {
                /** @description Number of the last event of the page before. */
                after?: string;
                /** @description Length of the page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id, a decimal number as text. */
                id: string;
            };
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
                    "application/json": {
                        events: components["schemas"]["DeadEvent"][];
                    };
                };
            };
        };
    };
    retryDeadEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a decimal number as text. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RetryDeadEventsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        queued: number;
                    };
                };
            };
        };
    };
    pauseWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a decimal number as text. */
                id: string;
            };
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
                    "application/json": components["schemas"]["Webhook"] & {
                        /** @description Null for those of the operator. */
                        key_id: string | null;
                    };
                };
            };
        };
    };
    resumeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a decimal number as text. */
                id: string;
            };
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
                    "application/json": components["schemas"]["Webhook"] & {
                        /** @description Null for those of the operator. */
                        key_id: string | null;
                    };
                };
            };
        };
    };
    dashboard: {
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
                    "application/json": components["schemas"]["DashboardSummary"];
                };
            };
        };
    };
    dashboardDetails: {
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
                    "application/json": components["schemas"]["DashboardDetails"];
                };
            };
        };
    };
}
