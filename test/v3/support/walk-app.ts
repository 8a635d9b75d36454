import type { FastifyInstance } from 'fastify';
import { requestReindex } from '../../../src/index/write/reindex.ts';
import { createPayerBudget } from '../../../src/lib/payer-budget.ts';
import { createTestApp, testAccess } from '../../support/app.ts';
import type { TestDatabase } from '../../support/database.ts';
import { removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { EMPTY_CHAIN } from './build-app.ts';
import { openIndexedDemo } from './indexed-demo.ts';
import { openLiveApp } from './live-app.ts';
import { createMadePending } from './made-pending.ts';
import { putValidators } from './made-validators.ts';

/** Parameters of a request: texts and lists of them in a query, anything in a body. */
export type WalkParams = Readonly<Record<string, unknown>>;

/** One request of a walk. */
interface WalkRequest {
  readonly name: string;
  readonly params?: WalkParams;
  readonly by?: 'GET' | 'HEAD' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
}

/** The whole application with the index of the demo. */
export interface WalkContext {
  readonly app: FastifyInstance;
  readonly index: TestDatabase;
  readonly ask: (request: WalkRequest) => Promise<WalkAnswer>;
  readonly close: () => Promise<void>;
}

export type WalkAnswer = Awaited<ReturnType<typeof askApp>>;

/** The application with a separate index; with a chain, it can run get-methods and send messages. */
export async function openWalkContext({ live = false } = {}): Promise<WalkContext> {
  const [index, chain] = await Promise.all([openIndexedDemo(), live ? openLiveApp() : undefined]);
  const { database } = index;
  await putValidators(index);
  const app = await createTestApp({
    access: testAccess(async (request) => {
      request.keyId = '1';
    }),
    v3: {
      reindex: {
        request: (accounts) => requestReindex(database.primary, accounts),
        budget: createPayerBudget({ unitsPerRps: undefined, savedSeconds: 0, minSaved: 0, expected: 1 }),
      },
      database,
      metadataQueue: { add: () => {} },
      live: chain?.live ?? EMPTY_CHAIN,
      pending: createMadePending(),
    },
  });
  return {
    app,
    index,
    ask: (request) => askApp(app, request),
    close: async () => {
      await app.close();
      await index.drop();
      await chain?.close();
      if (chain !== undefined) await removeTemporaryDirectory(chain.folder);
    },
  };
}

/** Calls an operation; parameters are the body for POST, else the query. */
export async function askApp(
  app: FastifyInstance,
  { name, params = {}, by = 'GET', headers = {} }: WalkRequest,
) {
  const url = `/api/v3/${name}`;
  if (by !== 'POST') return app.inject({ method: by, url: `${url}?${queryOf(params)}`, headers });
  const withType = { ...headers, 'content-type': 'application/json' };
  return app.inject({ method: by, url, headers: withType, payload: JSON.stringify(params) });
}

/** Parameters as a query. */
export function queryOf(params: WalkParams): URLSearchParams {
  return new URLSearchParams(
    Object.entries(params).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, String(each)]),
    ),
  );
}
