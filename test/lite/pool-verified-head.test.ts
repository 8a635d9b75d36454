import { EventEmitter, once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { BlockId } from '../../src/chain/block-id.ts';
import { splitWaitPrefix } from '../../src/chain/tl/lite-envelope.ts';
import { createConnection } from '../../src/lite/connection.ts';
import { LiteServerError } from '../../src/lite/errors.ts';
import { createHeadProver, type HeadProofStore } from '../../src/lite/head-proof.ts';
import { encodeResponse } from '../../src/lite/methods/codec.ts';
import { createPool, type LitePool } from '../../src/lite/pool.ts';
import { decodeRequest, type LiteServer, startLiteServer } from '../support/lite-server.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { createSignedChain, type SignedChain, testValidator } from '../support/signed-chain.ts';

/**
 * The whole way: servers over ADNL, the pool that follows them, and the proof of each head from the zero state, while
 * the validators change three times.
 */
const SETS = ['first', 'second', 'third', 'fourth'].map((name, i) =>
  [0, 1, 2].map((number) => testValidator(`${name} ${number}`, BigInt(10 + i + number))),
);

let chain: SignedChain;
let growth: EventEmitter;
let servers: LiteServer[];
let pool: LitePool | undefined;
const log = createQuietLog();

beforeEach(() => {
  growth = new EventEmitter().setMaxListeners(0);
  chain = createSignedChain(SETS[0]!, { form: 'simplex', shuffle: true });
  for (let i = 0; i < 5; i++) chain.addBlock();
  servers = [];
});
afterEach(async () => {
  await pool?.close();
  await Promise.all(servers.map((server) => server.stop()));
});

function addBlock(change?: Parameters<SignedChain['addBlock']>[0]): BlockId {
  const block = chain.addBlock(change);
  growth.emit('block');
  return block;
}

/** A server of the chain; a malicious server has a head of its own making. */
async function startServer(headOf: () => BlockId): Promise<LiteServer> {
  const server = await startLiteServer({
    async answer(bytes) {
      const { wait, request } = splitWaitPrefix(bytes);
      while (wait !== undefined && headOf().seqno < wait.seqno) await once(growth, 'block');
      const asked = decodeRequest(request);
      if (asked.method === 'getMasterchainInfo')
        return encodeResponse('getMasterchainInfo', {
          last: headOf(),
          stateRootHash: Buffer.alloc(32),
          init: chain.zeroState,
        });
      if (asked.method === 'getBlockProof')
        return encodeResponse('getBlockProof', {
          ...chain.proof(asked.knownBlock, chain.block(asked.targetBlock!.seqno)),
          to: asked.targetBlock!,
        });
      throw new LiteServerError(651, 'not in db');
    },
  });
  servers.push(server);
  return server;
}

async function openPool(memory: HeadProofStore): Promise<LitePool> {
  const prover = await createHeadProver({ anchor: chain.zeroState, store: memory, log });
  return createPool({
    config: {
      liteServers: servers.map(({ host, port, publicKey }, index) => ({ index, host, port, publicKey })),
      zeroState: chain.zeroState,
      initBlock: chain.zeroState,
      hardforks: [],
    },
    connect: createConnection,
    proveHead: (server, block) => prover.prove(server.query, block),
    log,
  });
}

function createMemory(): HeadProofStore & { keyBlock: BlockId | undefined } {
  return {
    keyBlock: undefined,
    async load() {
      return this.keyBlock;
    },
    async save(_, keyBlock) {
      this.keyBlock = keyBlock;
    },
  };
}

it('a verifying pool follows the chain from its zero state over three changes of validators, despite a malicious server', async () => {
  await startServer(() => chain.head);
  // It has blocks of its own, one ahead of the chain and unsigned.
  const liar = await startServer(() => ({
    ...chain.head,
    seqno: chain.head.seqno + 1,
    rootHash: Buffer.alloc(32, 9),
  }));
  const memory = createMemory();
  pool = await openPool(memory);
  for (const validators of SETS.slice(1)) {
    addBlock({ validators });
    for (let i = 0; i < 3; i++) {
      const block = addBlock();
      expect(await pool.waitForSeqno(block.seqno, { timeoutMs: 120_000 })).toEqual(block);
    }
  }
  expect(memory.keyBlock?.seqno).toBe(chain.head.seqno - 3);
  expect(pool.consensusBlock()).toEqual(chain.head);
  const named = log.lines.filter(({ details, text }) =>
    JSON.stringify({ ...details, text }).includes(String(liar.port)),
  );
  expect(named.length).toBeGreaterThan(0);
  expect(pool.servers()[1]?.state).not.toBe('live');
});

it('a verifying pool continues from the stored key block', async () => {
  await startServer(() => chain.head);
  const memory = createMemory();
  pool = await openPool(memory);
  addBlock({ validators: SETS[1]! });
  await pool.waitForSeqno(addBlock().seqno, { timeoutMs: 10_000 });
  await pool.close();
  for (let i = 0; i < 3; i++) addBlock();
  pool = await openPool(memory);
  await pool.waitForSeqno(chain.head.seqno, { timeoutMs: 120_000 });
  expect(pool.head).toEqual(chain.head);
});
