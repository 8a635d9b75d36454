interface WelcomeParts {
  readonly url: string;
  readonly network: string;
  /** The key of a localnet; other networks have none to show. */
  readonly key: string | undefined;
  /** Where the embedded PostgreSQL keeps its data. */
  readonly embeddedAt: string | undefined;
  /** Address of the faucet of a local chain in this process. */
  readonly faucet?: string | undefined;
  /** Lines about the local chain. */
  readonly more?: readonly string[] | undefined;
}

/** The elector, which every network has. */
const ELECTOR = { address: 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF', method: 'active_election_id' };

/** What `start` tells a person: addresses, the localnet's key, and three lines to try. */
export function welcome({ url, network, key, embeddedAt, faucet, more = [] }: WelcomeParts): string {
  const header = key === undefined ? '' : ` -H "X-API-Key: ${key}"`;
  const { address, method } = faucet === undefined ? ELECTOR : { address: faucet, method: 'seqno' };
  const run = JSON.stringify({ address, method, stack: [] });
  const rpc = `{"jsonrpc":"2.0","id":1,"method":"runGetMethod","params":${run}}`;
  const lines = [
    '',
    `tongate listening on ${url}`,
    `  network   ${network}`,
    `  v2        ${url}/api/v2/`,
    `  v3        ${url}/api/v3/`,
    ...(embeddedAt === undefined ? [] : [`  database  embedded PostgreSQL in ${embeddedAt}`]),
    ...(key === undefined ? [] : [`  API key   ${key}  (1000 requests a second, this localnet only)`]),
    ...more,
    '',
    'Try it:',
    `  curl${header} ${url}/api/v2/getMasterchainInfo`,
    `  curl${header} "${url}/api/v2/getAddressBalance?address=${address}"`,
    `  curl${header} -d '${rpc}' ${url}/api/v2/jsonRPC`,
    '',
  ];
  return `${lines.join('\n')}\n`;
}
