import { crc32 } from 'node:zlib';
import { type TlField, type TlValue, tl } from '../../chain/tl/fields.ts';
import { readSignatureSet, type SignatureSet, writeSignatureSet } from '../../chain/tl/signatures.ts';
import {
  constructorText,
  type DecodeOptions,
  decodeTl,
  encodeTl,
  TlError,
  type TlType,
} from '../../chain/tl/tl.ts';

/**
 * The part of the lite-server API that we speak, in the lines of its TL schema: codecs and TypeScript types follow from
 * them. Names become camel case. The id of a constructor is the CRC-32 of its line, unless the line has it after a `#`.
 */
const TYPES = [
  'liteServer.accountDispatchQueueInfo addr:int256 size:long min_lt:long max_lt:long = liteServer.AccountDispatchQueueInfo',
  // `state` is empty for an account that does not exist.
  'liteServer.accountState id:tonNode.blockIdExt shardblk:tonNode.blockIdExt shard_proof:bytes proof:bytes state:bytes = liteServer.AccountState',
  'liteServer.allShardsInfo id:tonNode.blockIdExt proof:bytes data:bytes = liteServer.AllShardsInfo',
  'liteServer.blockData id:tonNode.blockIdExt data:bytes = liteServer.BlockData',
  'liteServer.blockHeader id:tonNode.blockIdExt mode:# header_proof:bytes = liteServer.BlockHeader',
  'liteServer.blockLinkBack to_key_block:Bool from:tonNode.blockIdExt to:tonNode.blockIdExt dest_proof:bytes proof:bytes state_proof:bytes = liteServer.BlockLink',
  'liteServer.blockLinkForward to_key_block:Bool from:tonNode.blockIdExt to:tonNode.blockIdExt dest_proof:bytes config_proof:bytes signatures:liteServer.SignatureSet = liteServer.BlockLink',
  'liteServer.blockOutMsgQueueSize mode:# id:tonNode.blockIdExt size:long proof:mode.0?bytes = liteServer.BlockOutMsgQueueSize',
  'liteServer.blockState id:tonNode.blockIdExt root_hash:int256 file_hash:int256 data:bytes = liteServer.BlockState',
  // `proof` is empty unless requested.
  'liteServer.blockTransactions id:tonNode.blockIdExt req_count:# incomplete:Bool ids:vector liteServer.transactionId proof:bytes = liteServer.BlockTransactions',
  // The transactions are roots of one bag.
  'liteServer.blockTransactionsExt id:tonNode.blockIdExt req_count:# incomplete:Bool transactions:bytes proof:bytes = liteServer.BlockTransactionsExt',
  'liteServer.configInfo mode:# id:tonNode.blockIdExt state_proof:bytes config_proof:bytes = liteServer.ConfigInfo',
  'liteServer.currentTime now:int = liteServer.CurrentTime',
  'liteServer.dispatchQueueInfo mode:# id:tonNode.blockIdExt account_dispatch_queues:vector liteServer.accountDispatchQueueInfo complete:Bool proof:mode.0?bytes = liteServer.DispatchQueueInfo',
  'liteServer.libraryEntry hash:int256 data:bytes = liteServer.LibraryEntry',
  'liteServer.libraryResult result:vector liteServer.libraryEntry = liteServer.LibraryResult',
  'liteServer.libraryResultWithProof id:tonNode.blockIdExt mode:# result:vector liteServer.libraryEntry state_proof:bytes data_proof:bytes = liteServer.LibraryResultWithProof',
  // `prev_header` is empty for a look-up by seqno.
  'liteServer.lookupBlockResult id:tonNode.blockIdExt mode:# mc_block_id:tonNode.blockIdExt client_mc_state_proof:bytes mc_block_proof:bytes shard_links:vector liteServer.shardBlockLink header:bytes prev_header:bytes = liteServer.LookupBlockResult',
  'liteServer.masterchainInfo last:tonNode.blockIdExt state_root_hash:int256 init:tonNode.zeroStateIdExt = liteServer.MasterchainInfo',
  'liteServer.masterchainInfoExt mode:# version:int capabilities:long last:tonNode.blockIdExt last_utime:int now:int state_root_hash:int256 init:tonNode.zeroStateIdExt = liteServer.MasterchainInfoExt',
  // Of each validator group the newest block with signatures, and a newer one that waits for them.
  'liteServer.nonfinal.pendingShardBlocks signed_blocks:vector tonNode.blockIdExt candidates:vector tonNode.blockIdExt = liteServer.nonfinal.PendingShardBlocks',
  'liteServer.outMsgQueueSize id:tonNode.blockIdExt size:int = liteServer.OutMsgQueueSize',
  // The limit is the size at which external messages are refused.
  'liteServer.outMsgQueueSizes shards:vector liteServer.outMsgQueueSize ext_msg_queue_size_limit:int = liteServer.OutMsgQueueSizes',
  // The first steps from `from` towards the target; all of them if `complete`.
  'liteServer.partialBlockProof complete:Bool from:tonNode.blockIdExt to:tonNode.blockIdExt steps:vector liteServer.BlockLink = liteServer.PartialBlockProof',
  // `result` is the stack as a bag of cells.
  'liteServer.runMethodResult mode:# id:tonNode.blockIdExt shardblk:tonNode.blockIdExt shard_proof:mode.0?bytes proof:mode.0?bytes state_proof:mode.1?bytes init_c7:mode.3?bytes lib_extras:mode.4?bytes exit_code:int result:mode.2?bytes = liteServer.RunMethodResult',
  'liteServer.sendMsgStatus status:int = liteServer.SendMsgStatus',
  'liteServer.shardBlockLink id:tonNode.blockIdExt proof:bytes = liteServer.ShardBlockLink',
  'liteServer.shardBlockProof masterchain_id:tonNode.blockIdExt links:vector liteServer.shardBlockLink = liteServer.ShardBlockProof',
  'liteServer.shardInfo id:tonNode.blockIdExt shardblk:tonNode.blockIdExt shard_proof:bytes shard_descr:bytes = liteServer.ShardInfo',
  // `metadata` is unknown to servers from before this bit.
  'liteServer.transactionId mode:# account:mode.0?int256 lt:mode.1?long hash:mode.2?int256 metadata:mode.8?liteServer.transactionMetadata = liteServer.TransactionId',
  'liteServer.transactionId3 account:int256 lt:long = liteServer.TransactionId3',
  // `transaction` is empty if the block has no such transaction, which `proof` then proves.
  'liteServer.transactionInfo id:tonNode.blockIdExt proof:bytes transaction:bytes = liteServer.TransactionInfo',
  // The block of each transaction, and the transactions, newest first, as roots of one bag.
  'liteServer.transactionList ids:vector tonNode.blockIdExt transactions:bytes = liteServer.TransactionList',
  'liteServer.transactionMetadata mode:# depth:int initiator:liteServer.accountId initiator_lt:long = liteServer.TransactionMetadata',
  'liteServer.validatorStats mode:# id:tonNode.blockIdExt count:int complete:Bool state_proof:bytes data_proof:bytes = liteServer.ValidatorStats',
  // `version` is 256 times the major number plus the minor one.
  'liteServer.version mode:# version:int capabilities:long now:int = liteServer.Version',
] as const;

const FUNCTIONS = [
  'liteServer.getAccountState id:tonNode.blockIdExt account:liteServer.accountId = liteServer.AccountState',
  'liteServer.getAccountStatePrunned id:tonNode.blockIdExt account:liteServer.accountId = liteServer.AccountState',
  'liteServer.getAllShardsInfo id:tonNode.blockIdExt = liteServer.AllShardsInfo',
  'liteServer.getBlock id:tonNode.blockIdExt = liteServer.BlockData',
  'liteServer.getBlockHeader id:tonNode.blockIdExt mode:# = liteServer.BlockHeader',
  'liteServer.getBlockOutMsgQueueSize mode:# id:tonNode.blockIdExt want_proof:mode.0?true = liteServer.BlockOutMsgQueueSize',
  'liteServer.getBlockProof mode:# known_block:tonNode.blockIdExt target_block:mode.0?tonNode.blockIdExt = liteServer.PartialBlockProof',
  'liteServer.getConfigAll mode:# id:tonNode.blockIdExt = liteServer.ConfigInfo',
  'liteServer.getConfigParams mode:# id:tonNode.blockIdExt param_list:vector int = liteServer.ConfigInfo',
  'liteServer.getDispatchQueueInfo mode:# id:tonNode.blockIdExt after_addr:mode.1?int256 max_accounts:int want_proof:mode.0?true = liteServer.DispatchQueueInfo',
  'liteServer.getLibraries library_list:vector int256 = liteServer.LibraryResult',
  'liteServer.getLibrariesWithProof id:tonNode.blockIdExt mode:# library_list:vector int256 = liteServer.LibraryResultWithProof',
  'liteServer.getMasterchainInfo = liteServer.MasterchainInfo',
  'liteServer.getMasterchainInfoExt mode:# = liteServer.MasterchainInfoExt',
  'liteServer.getOneTransaction id:tonNode.blockIdExt account:liteServer.accountId lt:long = liteServer.TransactionInfo',
  'liteServer.getOutMsgQueueSizes mode:# wc:mode.0?int shard:mode.0?long = liteServer.OutMsgQueueSizes',
  'liteServer.getShardBlockProof id:tonNode.blockIdExt = liteServer.ShardBlockProof',
  'liteServer.getShardInfo id:tonNode.blockIdExt workchain:int shard:long exact:Bool = liteServer.ShardInfo',
  'liteServer.getState id:tonNode.blockIdExt = liteServer.BlockState',
  'liteServer.getTime = liteServer.CurrentTime',
  'liteServer.getTransactions count:# account:liteServer.accountId lt:long hash:int256 = liteServer.TransactionList',
  'liteServer.getValidatorStats#091a58bc mode:# id:tonNode.blockIdExt limit:int start_after:mode.0?int256 modified_after:mode.2?int = liteServer.ValidatorStats',
  'liteServer.getVersion = liteServer.Version',
  'liteServer.listBlockTransactions id:tonNode.blockIdExt mode:# count:# after:mode.7?liteServer.transactionId3 reverse_order:mode.6?true want_proof:mode.5?true = liteServer.BlockTransactions',
  'liteServer.listBlockTransactionsExt id:tonNode.blockIdExt mode:# count:# after:mode.7?liteServer.transactionId3 reverse_order:mode.6?true want_proof:mode.5?true = liteServer.BlockTransactionsExt',
  'liteServer.lookupBlock mode:# id:tonNode.blockId lt:mode.1?long utime:mode.2?int = liteServer.BlockHeader',
  'liteServer.lookupBlockWithProof mode:# id:tonNode.blockId mc_block_id:tonNode.blockIdExt lt:mode.1?long utime:mode.2?int = liteServer.LookupBlockResult',
  'liteServer.nonfinal.getPendingShardBlocks mode:# wc:mode.0?int shard:mode.0?long = liteServer.nonfinal.PendingShardBlocks',
  'liteServer.runSmcMethod mode:# id:tonNode.blockIdExt account:liteServer.accountId method_id:long params:bytes = liteServer.RunMethodResult',
  'liteServer.sendMessage body:bytes = liteServer.SendMsgStatus',
] as const;

type Named<Lines, Name extends string> = Extract<Lines, `liteServer.${Name}${' ' | '#'}${string}`>;

type Camel<Name> = Name extends 'shardblk'
  ? 'shardBlock'
  : Name extends 'wc'
    ? 'workchain'
    : Name extends `${infer Head}_${infer Rest}`
      ? `${Head}${Capitalize<Camel<Rest>>}`
      : Name;

/** The value of a type of the schema. */
type Value<Type> = Type extends `vector ${infer Item}`
  ? readonly Value<Item>[]
  : Type extends keyof typeof FIELDS
    ? TlValue<(typeof FIELDS)[Type]>
    : Type extends `liteServer.${infer Name}`
      ? LiteType<Name>
      : never;

/** A field; one with the type `true` is only a bit of the mode. */
type Member<Name, Type> = Type extends `mode.${number}?true`
  ? unknown
  : Type extends `mode.${number}?${infer Given}`
    ? { readonly [K in Camel<Name> & string]?: Value<Given> | undefined }
    : { readonly [K in Camel<Name> & string]: Value<Type> };

type Members<Text> = Text extends `${infer Name}:${infer Tail}`
  ? Tail extends `vector ${infer Item} ${infer Rest}`
    ? Member<Name, `vector ${Item}`> & Members<Rest>
    : Tail extends `${infer Type} ${infer Rest}`
      ? Member<Name, Type> & Members<Rest>
      : never
  : unknown;

type Flat<T> = { [K in keyof T]: T[K] };
type RecordOf<Line> = Line extends `liteServer.${string} ${infer Text}= ${string}`
  ? Flat<Members<Text>>
  : never;

/** The value of a type of the lite-server API; its name is given without `liteServer.`. */
export type LiteType<Name extends string> = RecordOf<Named<(typeof TYPES)[number], Name>>;

/** A step to an older block, which the state of the newer one lists. */
export type BlockLinkBack = { readonly kind: 'back' } & LiteType<'blockLinkBack'>;

/** A step to a newer block, which the validators of the older one signed. */
export type BlockLinkForward = { readonly kind: 'forward' } & LiteType<'blockLinkForward'>;

/** One step of a proof from one masterchain block to another. */
export type BlockLink = BlockLinkBack | BlockLinkForward;

const signatureSet: TlField<SignatureSet> = { minBytes: 4, read: readSignatureSet, write: writeSignatureSet };

const blockLink: TlField<BlockLink> = {
  // That of both constructors, and their id.
  minBytes: 180,
  read(reader) {
    const id = reader.uint();
    if (id === linkBack.id) return { kind: 'back', ...linkBack.read(reader) };
    if (id === linkForward.id) return { kind: 'forward', ...linkForward.read(reader) };
    throw new TlError(`expected liteServer.BlockLink, got constructor ${constructorText(id)}`);
  },
  write(writer, link) {
    writer.uint(link.kind === 'back' ? linkBack.id : linkForward.id);
    if (link.kind === 'back') linkBack.write(writer, link);
    else linkForward.write(writer, link);
  },
};

const FIELDS = {
  '#': tl.uint,
  int: tl.int,
  long: tl.long,
  Bool: tl.bool,
  int256: tl.int256,
  bytes: tl.bytes,
  'tonNode.blockIdExt': tl.blockId,
  'tonNode.blockId': tl.shortBlockId,
  'tonNode.zeroStateIdExt': tl.zeroStateId,
  'liteServer.accountId': tl.accountId,
  'liteServer.SignatureSet': signatureSet,
  'liteServer.BlockLink': blockLink,
};

/** Unix times, which are unsigned whatever the schema says. */
const UNSIGNED: ReadonlySet<string> = new Set(['now', 'utime', 'last_utime', 'modified_after']);

// biome-ignore lint/suspicious/noExplicitAny: a field of any type, which is both read and written.
function fieldOf(name: string, type: string): TlField<any> {
  const [, bit, given] = /^mode\.(\d+)\?(.+)$/.exec(type) ?? [];
  if (bit !== undefined) return tl.optional(Number(bit), fieldOf(name, given!));
  if (type.startsWith('vector ')) return tl.vector(fieldOf(name, type.slice('vector '.length)));
  if (UNSIGNED.has(name)) return tl.uint;
  return type in FIELDS ? FIELDS[type as keyof typeof FIELDS] : typeOf(type.slice('liteServer.'.length));
}

const RENAMED: Readonly<Record<string, string>> = { shardblk: 'shardBlock', wc: 'workchain' };

function readLine(line: string) {
  const [, name, writtenId] = /^liteServer\.([\w.]+)(?:#(\w+))?/.exec(line)!;
  const table: Record<string, TlField<unknown>> = {};
  for (const [, field, type] of line.matchAll(/(\w+):((?:vector )?\S+)/g))
    if (!type!.endsWith('?true')) table[RENAMED[field!] ?? camelCase(field!)] = fieldOf(field!, type!);
  const id = writtenId === undefined ? crc32(line) : Number.parseInt(writtenId, 16);
  return { method: name!, name: `liteServer.${name}`, id, ...tl.record(table) };
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function typeOf<Name extends string>(name: Name) {
  const line = TYPES.find((one) => one.startsWith(`liteServer.${name} `))!;
  return readLine(line) as unknown as TlType<LiteType<Name>> & TlField<LiteType<Name>>;
}

const linkBack = typeOf('blockLinkBack');
const linkForward = typeOf('blockLinkForward');

type NameOf<Line> = Line extends `liteServer.${infer Name} ${string}`
  ? Name extends `${infer Bare}#${string}`
    ? Bare
    : Name
  : never;

/** The name of a function, without `liteServer.` before it. */
export type LiteMethod = NameOf<(typeof FUNCTIONS)[number]>;

type FunctionLine<M extends LiteMethod> = Named<(typeof FUNCTIONS)[number], M>;

export type LiteArguments<M extends LiteMethod> = RecordOf<FunctionLine<M>>;

/** The request of a function, with its name in `method`. */
export type LiteRequestOf<M extends LiteMethod> = M extends LiteMethod
  ? { readonly method: M } & LiteArguments<M>
  : never;

export type LiteResponseOf<M extends LiteMethod> =
  FunctionLine<M> extends `${string} = liteServer.${infer Name}` ? LiteType<LowerFirst<Name>> : never;

/** The name of a constructor from that of its type. */
type LowerFirst<Name extends string> = Name extends `${infer Space}.${infer Rest}`
  ? `${Space}.${Uncapitalize<Rest>}`
  : Uncapitalize<Name>;

/** Any request; `method` tells which. */
export type LiteRequest = LiteRequestOf<LiteMethod>;

/** One function of the lite-server API: its request, and the type of its response. */
interface LiteMethodCodec<M extends LiteMethod> extends TlType<LiteArguments<M>> {
  readonly method: M;
  readonly response: TlType<LiteResponseOf<M>>;
}

/** The functions of the lite-server API that we support, by name. */
export const LITE_METHODS = Object.fromEntries(
  FUNCTIONS.map((line) => {
    const codec = readLine(line);
    const [, result] = line.split(' = liteServer.');
    const response = typeOf(result!.replace(/\w+$/, (name) => name.charAt(0).toLowerCase() + name.slice(1)));
    return [codec.method, { ...codec, response }];
  }),
) as unknown as { readonly [M in LiteMethod]: LiteMethodCodec<M> };

type AnyMethodCodec = LiteMethodCodec<LiteMethod>;

const METHOD_BY_ID: ReadonlyMap<number, AnyMethodCodec> = new Map(
  Object.values(LITE_METHODS).map((codec) => [codec.id, codec as unknown as AnyMethodCodec]),
);

/** The function with a constructor id; undefined for one that we do not support. */
export function methodById(id: number): AnyMethodCodec | undefined {
  return METHOD_BY_ID.get(id);
}

/** The bytes of a request, as they go into `liteServer.query`. Throws TlError for a value that does not fit its field. */
export function encodeRequest(request: LiteRequest): Buffer {
  return encodeTl(LITE_METHODS[request.method] as TlType<unknown>, request);
}

export function encodeResponse<M extends LiteMethod>(method: M, response: LiteResponseOf<M>): Buffer {
  return encodeTl(LITE_METHODS[method].response, response);
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
  return decodeTl(LITE_METHODS[method].response, bytes, options);
}
