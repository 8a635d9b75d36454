import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BlockId, MASTERCHAIN, shortBlockName, WHOLE_SHARD } from '../../chain/block-id.ts';
import { decodeLiteError } from '../../chain/tl/lite-envelope.ts';
import type { SignatureSet, SimplexSignatureSet } from '../../chain/tl/signatures.ts';
import { StartError } from '../../lib/errors.ts';
import { decodeResponse } from '../../lite/methods/codec.ts';
import { type ChainStep, type ChainStore, createChainStore } from './chain-store.ts';
import { type NewBlock, type ParsedBlock, parseBlock, shardTops } from './parse-block.ts';

/** `<workchain>_<shard, 16 hex digits>_<seqno>.boc` */
const FILE_NAME = /^(-?\d+)_([0-9a-f]{16})_(\d+)\.boc$/;

/**
 * Loads a recorded network: all its blocks from `blocks/`, the zero states from `states/`, and what signatures the
 * responses under `lite/` and `tonlib/` contain, if any. Throws StartError where something is missing or does not fit.
 */
export function openRecording(folder: string): ChainStore {
  try {
    const zeroStates = readdirSync(join(folder, 'states'))
      .filter((name) => FILE_NAME.exec(name)?.[3] === '0')
      .map((name) => readFileSync(join(folder, 'states', name)));
    const store = createChainStore({ zeroStates });
    for (const step of recordedSteps(folder)) store.append(step);
    return store;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`The recording in ${folder} cannot be replayed: ${reason}`, { cause: error });
  }
}

/** Steps of a recorded chain, one per masterchain block in order. */
function* recordedSteps(folder: string): Generator<ChainStep> {
  const signaturesOf = readRecordedSignatures(folder);
  const files = new Set(readdirSync(join(folder, 'blocks')));
  const done = new Set<string>();

  for (let seqno = 1; ; seqno++) {
    const masterchain = newBlock({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno });
    if (masterchain === undefined) return;
    const shards: NewBlock[] = [];
    const parsed = parseBlock(masterchain.load());
    for (const top of shardTops(parsed)) addWithAncestors(top, shards);
    const signatures = signaturesOf(parsed);
    yield { masterchain: { ...masterchain, signatures: () => signatures }, shards };
  }

  function newBlock(place: Pick<BlockId, 'workchain' | 'shard' | 'seqno'>): NewBlock | undefined {
    const name = fileName(place);
    return files.has(name) ? { load: () => readFileSync(join(folder, 'blocks', name)) } : undefined;
  }

  /** Adds a shard block after its predecessors that are not in the chain yet; there are few. */
  function addWithAncestors(id: BlockId, shards: NewBlock[]): void {
    if (id.seqno === 0 || done.has(fileName(id))) return;
    done.add(fileName(id));
    const block = newBlock(id);
    if (block === undefined) throw new Error(`block ${shortBlockName(id)} is missing`);
    for (const previous of parseBlock(block.load()).previous) addWithAncestors(previous, shards);
    shards.push(block);
  }
}

function fileName({ workchain, shard, seqno }: Pick<BlockId, 'workchain' | 'shard' | 'seqno'>): string {
  return `${workchain}_${BigInt.asUintN(64, shard).toString(16).padStart(16, '0')}_${seqno}.boc`;
}

/** Those of a client library lack what the block header also contains. */
type BareSignatures = Omit<SimplexSignatureSet, 'catchainSeqno' | 'validatorSetHash'>;

const BLOCK_PROOF = /^getBlockProof_.*\.json$/;
const BLOCK_SIGNATURES = /^blocks\.getMasterchainBlockSignatures\..*\.json$/;

/**
 * Reads the signatures of blocks. Blocks do not hold those under them, but the recorded responses of the lite server and
 * of the client library do for some.
 */
function readRecordedSignatures(folder: string) {
  const whole = wholeSets(join(folder, 'lite'));
  const bare = bareSets(join(folder, 'tonlib'));
  return ({ id, info }: ParsedBlock): SignatureSet | undefined => {
    const name = id.rootHash.toString('hex');
    const result = bare.get(name);
    if (whole.has(name) || result === undefined) return whole.get(name);
    const { genCatchainSeqno: catchainSeqno, genValidatorListHashShort: validatorSetHash } = info;
    return { ...result, catchainSeqno, validatorSetHash };
  };
}

function wholeSets(folder: string): Map<string, SignatureSet> {
  const results = new Map<string, SignatureSet>();
  for (const { response } of recordedResponses<{ tl_hex: string }>(folder, BLOCK_PROOF)) {
    const bytes = Buffer.from(response.tl_hex, 'hex');
    if (decodeLiteError(bytes) !== undefined) continue;
    for (const step of decodeResponse('getBlockProof', bytes).steps)
      if (step.kind === 'forward') results.set(step.to.rootHash.toString('hex'), step.signatures);
  }
  return results;
}

interface TonlibSignatures {
  readonly '@type': string;
  readonly id: { readonly root_hash: string };
  readonly signatures: readonly { readonly node_id_short: string; readonly signature: string }[];
  readonly session_id: string;
  readonly slot: number;
  readonly candidate: string;
}

function bareSets(folder: string): Map<string, BareSignatures> {
  const results = new Map<string, BareSignatures>();
  for (const { response } of recordedResponses<TonlibSignatures>(folder, BLOCK_SIGNATURES)) {
    if (response['@type'] !== 'blocks.blockSignatures.simplex') continue;
    results.set(fromBase64(response.id.root_hash).toString('hex'), {
      kind: 'simplex',
      signatures: response.signatures.map(({ node_id_short, signature }) => ({
        nodeIdShort: fromBase64(node_id_short),
        signature: fromBase64(signature),
      })),
      sessionId: fromBase64(response.session_id),
      slot: response.slot,
      candidate: fromBase64(response.candidate),
    });
  }
  return results;
}

function recordedResponses<T>(folder: string, name: RegExp): { readonly response: T }[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => name.test(file))
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, 'base64');
}
