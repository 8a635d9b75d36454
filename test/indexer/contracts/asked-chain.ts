import { Address, Cell, parseTuple, serializeTuple, type TupleItem } from '@ton/core';
import { type BlockId, MASTERCHAIN } from '../../../src/chain/block-id.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { methodIdOfName } from '../../../src/chain/stack/method-id.ts';
import { configParam } from '../../../src/chain/tlb/config.ts';
import type { LitePool } from '../../../src/lite/pool.ts';
import { getBlockBytes } from '../../../src/lite/queries/get-block-bytes.ts';
import { getConfigParams } from '../../../src/lite/queries/get-config-params.ts';
import { runSmcMethod } from '../../../src/lite/queries/run-smc-method.ts';

const CHECK = { verify: true };
const BUDGET_MS = 60_000;
const DNS_ROOT_PARAM = 4;

/** A lite server that is asked directly: it runs the get-methods itself. */
export class AskedChain {
  readonly #pool: Pick<LitePool, 'session'>;
  readonly #answers = new Map<string, Promise<TupleItem[] | undefined>>();

  constructor(pool: Pick<LitePool, 'session'>) {
    this.#pool = pool;
  }

  /** What a get-method gives at a masterchain block; undefined if it fails. */
  run(
    at: BlockId,
    account: Address,
    method: string,
    args: TupleItem[] = [],
  ): Promise<TupleItem[] | undefined> {
    const params = args.length === 0 ? Buffer.alloc(0) : serializeTuple(args).toBoc();
    const key = `${at.seqno} ${account.toRawString()} ${method} ${params.toString('hex')}`;
    const known = this.#answers.get(key) ?? this.#run(at, account, method, params);
    this.#answers.set(key, known);
    return known;
  }

  async #run(block: BlockId, { workChain: workchain, hash }: Address, method: string, params: Buffer) {
    const { query } = await this.#pool.session({ budgetMs: BUDGET_MS });
    const call = { block, account: { workchain, hash }, methodId: BigInt(methodIdOfName(method)), params };
    const { exitCode, result } = await runSmcMethod(query, call, CHECK);
    const isDone = (exitCode === 0 || exitCode === 1) && result !== undefined && result.length > 0;
    return isDone ? parseTuple(Cell.fromBoc(result)[0]!) : undefined;
  }

  /** The contract that the configuration names as the root of domains. */
  async dnsRoot(at: BlockId): Promise<Address | undefined> {
    const { query } = await this.#pool.session({ budgetMs: BUDGET_MS });
    const { cells, cell } = await getConfigParams(query, at, [DNS_ROOT_PARAM], CHECK);
    const param = configParam(cells, cell, DNS_ROOT_PARAM);
    return param < 0 ? undefined : new Address(MASTERCHAIN, Buffer.from(new Slice(cells, param).hash()));
  }

  async block(id: BlockId): Promise<Cell> {
    const { query } = await this.#pool.session({ budgetMs: BUDGET_MS });
    return Cell.fromBoc(await getBlockBytes(query, id, CHECK))[0]!;
  }
}
