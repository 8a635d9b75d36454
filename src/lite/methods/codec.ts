import type { LiteMethodCodec, TlValue } from '../../chain/tl/fields.ts';
import { type DecodeOptions, decodeTl, encodeTl, type TlType } from '../../chain/tl/tl.ts';
import { getAccountStateCodec, getAccountStatePrunnedCodec } from './accounts.ts';
import { getBlockProofCodec } from './block-proofs.ts';
import { listBlockTransactionsCodec, listBlockTransactionsExtCodec } from './block-transactions.ts';
import { getBlockCodec, getBlockHeaderCodec, getStateCodec } from './blocks.ts';
import { getConfigAllCodec, getConfigParamsCodec, getValidatorStatsCodec } from './config.ts';
import { runSmcMethodCodec } from './get-methods.ts';
import { getLibrariesCodec, getLibrariesWithProofCodec } from './libraries.ts';
import { lookupBlockCodec, lookupBlockWithProofCodec } from './lookups.ts';
import {
  getMasterchainInfoCodec,
  getMasterchainInfoExtCodec,
  getTimeCodec,
  getVersionCodec,
} from './masterchain.ts';
import { sendMessageCodec } from './messages.ts';
import {
  getBlockOutMsgQueueSizeCodec,
  getDispatchQueueInfoCodec,
  getOutMsgQueueSizesCodec,
} from './queues.ts';
import { getAllShardsInfoCodec, getShardBlockProofCodec, getShardInfoCodec } from './shards.ts';
import { getOneTransactionCodec, getTransactionsCodec } from './transactions.ts';

/** The functions of the lite-server API that we support, by name. */
export const LITE_METHODS = {
  getAccountState: getAccountStateCodec,
  getAccountStatePrunned: getAccountStatePrunnedCodec,
  getAllShardsInfo: getAllShardsInfoCodec,
  getBlock: getBlockCodec,
  getBlockHeader: getBlockHeaderCodec,
  getBlockOutMsgQueueSize: getBlockOutMsgQueueSizeCodec,
  getBlockProof: getBlockProofCodec,
  getConfigAll: getConfigAllCodec,
  getConfigParams: getConfigParamsCodec,
  getDispatchQueueInfo: getDispatchQueueInfoCodec,
  getLibraries: getLibrariesCodec,
  getLibrariesWithProof: getLibrariesWithProofCodec,
  getMasterchainInfo: getMasterchainInfoCodec,
  getMasterchainInfoExt: getMasterchainInfoExtCodec,
  getOneTransaction: getOneTransactionCodec,
  getOutMsgQueueSizes: getOutMsgQueueSizesCodec,
  getShardBlockProof: getShardBlockProofCodec,
  getShardInfo: getShardInfoCodec,
  getState: getStateCodec,
  getTime: getTimeCodec,
  getTransactions: getTransactionsCodec,
  getValidatorStats: getValidatorStatsCodec,
  getVersion: getVersionCodec,
  listBlockTransactions: listBlockTransactionsCodec,
  listBlockTransactionsExt: listBlockTransactionsExtCodec,
  lookupBlock: lookupBlockCodec,
  lookupBlockWithProof: lookupBlockWithProofCodec,
  runSmcMethod: runSmcMethodCodec,
  sendMessage: sendMessageCodec,
};

type Table = typeof LITE_METHODS;

/** The name of a function, without `liteServer.` before it. */
export type LiteMethod = keyof Table;

/** The request of a function, with its name in `method`. */
export type LiteRequestOf<M extends LiteMethod> = M extends LiteMethod
  ? { readonly method: M } & TlValue<Table[M]>
  : never;

/** The response of a function. */
export type LiteResponseOf<M extends LiteMethod> = TlValue<Table[M]['response']>;

/** Any request; `method` tells which. */
export type LiteRequest = LiteRequestOf<LiteMethod>;

const METHOD_BY_ID: ReadonlyMap<number, LiteMethodCodec<LiteMethod, unknown, unknown>> = new Map(
  Object.values(LITE_METHODS).map((codec) => [
    codec.id,
    codec as LiteMethodCodec<LiteMethod, unknown, unknown>,
  ]),
);

/** The function with a constructor id; undefined for one that we do not support. */
export function methodById(id: number): LiteMethodCodec<LiteMethod, unknown, unknown> | undefined {
  return METHOD_BY_ID.get(id);
}

/**
 * The bytes of a request, as they go into `liteServer.query`. Throws TlError for a value that does not fit its
 *   field.
 */
export function encodeRequest(request: LiteRequest): Buffer {
  return encodeTl(LITE_METHODS[request.method] as TlType<unknown>, request);
}

/** The bytes of a server's response to a request of `method`. */
export function encodeResponse<M extends LiteMethod>(method: M, response: LiteResponseOf<M>): Buffer {
  return encodeTl(responseType(method), response);
}

/**
 * A server's response to a request of `method`. Its buffers are views of `bytes`. Throws only TlError, also for
 * `liteServer.error`, which must be checked for before.
 */
export function decodeResponse<M extends LiteMethod>(
  method: M,
  bytes: Uint8Array,
  options?: DecodeOptions,
): LiteResponseOf<M> {
  return decodeTl(responseType(method), bytes, options);
}

function responseType<M extends LiteMethod>(method: M): TlType<LiteResponseOf<M>> {
  return LITE_METHODS[method].response as TlType<LiteResponseOf<M>>;
}
