/**
 * Sent as `X-API-Version`. The reference server sends the version of its database schema there; 1.2.10 is the one
 * whose behaviour this interface follows, so clients that look at it see the features they will find.
 */
export const V3_VERSION = '1.2.10';
