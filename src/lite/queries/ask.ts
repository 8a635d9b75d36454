/**
 * Asks a lite server: the bytes of one function (without `liteServer.query` around them) in, those of its answer out.
 * An answer `liteServer.error` is thrown as a LiteServerError.
 */
export type Ask = (request: Buffer) => Promise<Buffer>;
