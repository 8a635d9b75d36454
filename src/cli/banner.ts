import type { Settings } from '../config/settings.ts';
import { type KeyFiles, LOCALNET_RPS } from './key-files.ts';
import type { LocalnetParts } from './localnet-run.ts';

/** The elector, which every network has. */
const ELECTOR = { address: 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF', method: 'active_election_id' };

/** What the start of a process tells of itself. */
export interface StartedParts {
  readonly keys: KeyFiles;
  readonly localnet?: ShownLocalnet | undefined;
}

export type ShownLocalnet = Pick<LocalnetParts, 'faucet' | 'description' | 'demo'>;

interface BannerParts extends StartedParts {
  readonly embeddedAt: string | undefined;
}

/** The start-up banner: URLs, the keys of the operator, and three requests to try. */
export function bannerText(
  ownUrl: string,
  { network, rateLimit, anonymousRps, publicUrl }: Settings,
  { keys: { local, admin }, embeddedAt, localnet }: BannerParts,
): string {
  // In a container the port is another one outside.
  const url = publicUrl?.replace(/\/$/, '') ?? ownUrl;
  const { faucet, description: more = [], demo = [] } = localnet ?? {};
  const header = local === undefined ? '' : ` -H "X-API-Key: ${local.key}"`;
  const { address, method } = faucet === undefined ? ELECTOR : { address: faucet, method: 'seqno' };
  const run = JSON.stringify({ address, method, stack: [] });
  const rpc = `{"jsonrpc":"2.0","id":1,"method":"runGetMethod","params":${run}}`;
  const lines = [
    '',
    `tongate listening on ${url}`,
    `  network   ${network}`,
    `  v2        ${url}/api/v2/`,
    `  v3        ${url}/api/v3/`,
    `  explorer  ${url}/${local === undefined ? '' : `#key=${local.key}  (this link enters the key)`}`,
    ...(embeddedAt === undefined ? [] : [`  database  embedded PostgreSQL in ${embeddedAt}`]),
    ...(local === undefined
      ? []
      : [
          `  API key   ${local.key}  (${LOCALNET_RPS} requests per second, this localnet only)`,
          `            It is in ${local.path}; send it in the header X-API-Key.${rateLimit ? ` Without it: ${anonymousRps} per second.` : ''}`,
          '            It also commands the local chain and opens the administration: keep it to yourself.',
        ]),
    ...(admin === undefined ? [] : [`  admin     key in ${admin.path}, for ${url}/admin`]),
    ...more,
    '',
    'Try it:',
    `  curl${header} ${url}/api/v2/getMasterchainInfo`,
    `  curl${header} "${url}/api/v2/getAddressBalance?address=${address}"`,
    `  curl${header} -d '${rpc}' ${url}/api/v2/jsonRPC`,
    ...demo,
    '',
  ];
  return `${lines.join('\n')}\n`;
}
