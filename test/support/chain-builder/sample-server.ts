import { LiteServerError } from '../../../src/lite/errors.ts';
import { encodeResponse, type LiteRequest } from '../../../src/lite/methods/codec.ts';
import type { QueryServer } from '../../../src/lite/methods/proofs.ts';
import type { LiteResponse } from '../lite-response.ts';
import { decodeRequest } from '../lite-server.ts';
import {
  answerAccountState,
  answerAllShards,
  answerConfig,
  answerHeader,
  answerHistory,
  answerLibraries,
  answerList,
  answerListExt,
  answerLookup,
  answerQueueSize,
  answerShardBlockProof,
  blockOf,
  libraryEntries,
  lookUpBlock,
} from './answers.ts';
import type { SampleChain } from './sample-chain.ts';

/** An honest lite server of a built network, without a socket: takes request bytes, returns response bytes. */
export function createSampleServer(chain: SampleChain): QueryServer {
  return async (bytes) => {
    const request = decodeRequest(bytes);
    return encodeResponse(request.method, answerRequest(chain, request) as never);
  };
}

/** The response to a request; unsupported functions are rejected as unknown. */
export function answerRequest(chain: SampleChain, request: LiteRequest): LiteResponse {
  switch (request.method) {
    case 'getMasterchainInfo':
      return masterchainInfo(chain);
    case 'getMasterchainInfoExt':
      return {
        ...masterchainInfo(chain),
        mode: 0,
        version: 0x101,
        capabilities: 7n,
        lastUtime: head(chain).utime,
        now: NOW,
      };
    case 'getTime':
      return { now: NOW };
    case 'getVersion':
      return { mode: 0, version: 0x101, capabilities: 7n, now: NOW };
    case 'sendMessage':
      return { status: 1 };
    case 'getAccountState':
      return answerAccountState(chain, request.id, request.account, 'whole');
    case 'getAccountStatePrunned':
      return answerAccountState(chain, request.id, request.account, 'proof');
    case 'runSmcMethod': {
      const { state: stateProof, ...rest } = answerAccountState(chain, request.id, request.account, 'proof');
      return { mode: request.mode, ...rest, stateProof, exitCode: 0, result: RESULT };
    }
    case 'getAllShardsInfo':
      return answerAllShards(chain, request.id);
    case 'getShardBlockProof':
      return answerShardBlockProof(chain, request.id);
    case 'getBlock':
      return { id: request.id, data: blockOf(chain, request.id).bytes };
    case 'getState': {
      const { id, bytes } = chain.zeroState;
      return { id: request.id, rootHash: id.rootHash, fileHash: id.fileHash, data: bytes };
    }
    case 'getBlockHeader':
      return answerHeader(blockOf(chain, request.id), request.mode);
    case 'lookupBlock':
      return answerHeader(lookUpBlock(chain, request), 0);
    case 'lookupBlockWithProof':
      return answerLookup(chain, request, request.mcBlockId);
    case 'listBlockTransactions':
      return answerList(chain, request);
    case 'listBlockTransactionsExt':
      return answerListExt(chain, request);
    case 'getTransactions':
      return answerHistory(chain, request);
    case 'getConfigAll':
      return answerConfig(chain, request.id, request.mode);
    case 'getConfigParams':
      return answerConfig(chain, request.id, request.mode, request.paramList);
    case 'getLibraries':
      return { result: libraryEntries(chain, request.libraryList) };
    case 'getLibrariesWithProof':
      return answerLibraries(chain, request.id, request.mode, request.libraryList);
    case 'getBlockOutMsgQueueSize':
      return answerQueueSize(chain, request.id, request.mode);
    case 'getOutMsgQueueSizes':
      return { shards: [{ id: head(chain).id, size: 0 }], extMsgQueueSizeLimit: 8000 };
    case 'nonfinal.getPendingShardBlocks':
      return { signedBlocks: [chain.shardBlocks.at(-1)!.id], candidates: [] };
    default:
      throw new LiteServerError(PROTOCOL_VIOLATION, 'unknown query');
  }
}

const PROTOCOL_VIOLATION = 621;
const NOW = 1_700_000_100;
/** A bag of one cell; its content does not matter. */
const RESULT = Buffer.from('te6cckEBAQEABQAABgAAAPB0lCM=', 'base64');

function head({ masterchain }: SampleChain) {
  return masterchain.at(-1)!;
}

function masterchainInfo(chain: SampleChain) {
  const { id, state } = head(chain);
  const { workchain, rootHash, fileHash } = chain.zeroState.id;
  return { last: id, stateRootHash: state.hash(), init: { workchain, rootHash, fileHash } };
}
