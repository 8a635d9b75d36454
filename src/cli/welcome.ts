interface WelcomeParts {
  readonly url: string;
  readonly network: string;
  /** The key of a localnet; other networks have none to show. */
  readonly key: string | undefined;
  /** Where the embedded PostgreSQL keeps its data. */
  readonly embeddedAt: string | undefined;
  /** Lines about the local chain. */
  readonly more?: readonly string[] | undefined;
}

const ADDRESS = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';

/** What `start` tells a person: addresses, the localnet's key, and three lines to try. */
export function welcome({ url, network, key, embeddedAt, more = [] }: WelcomeParts): string {
  const header = key === undefined ? '' : ` -H "X-API-Key: ${key}"`;
  const rpc = `{"jsonrpc":"2.0","id":1,"method":"detectHash","params":{"hash":"${'0'.repeat(64)}"}}`;
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
    `  curl${header} "${url}/api/v2/detectAddress?address=${ADDRESS}"`,
    `  curl${header} -d '{"address":"${ADDRESS}"}' ${url}/api/v2/unpackAddress`,
    `  curl${header} -d '${rpc}' ${url}/api/v2/jsonRPC`,
    '',
  ];
  return `${lines.join('\n')}\n`;
}
