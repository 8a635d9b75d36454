/**
 * Two endpoints that answer like TON Center, one beside the other: speed, processor time and answers, with thousands of
 * keys that are sampled from the first one.
 * Usage: npm run bench:beside -- URL_A URL_B [--interfaces v3,v2 --keys 2000 --rounds 3 --seconds 2 --connections 1,16
 * --only 'traces;by hash' --compare 25 --ignore metadata,address_book --key-a KEY --key-b KEY --pids-a 10,11 --pids-b 12
 * --out FILE.md]. A URL is that of a server, without `/api`. With the process ids of servers and databases on this machine,
 * their processor time is counted, that of their children included. Both should hold the same chain and stand still.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createV2Cases, createV3Cases } from './beside/cases.ts';
import { compareAnswers } from './beside/compare-answers.ts';
import { createEndpoint } from './beside/endpoint.ts';
import { measureCase } from './beside/measure-case.ts';
import { type Report, type ReportedCase, toMarkdown } from './beside/report.ts';
import { sampleKeys } from './beside/sample-keys.ts';
import { runInfo } from './support/report.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    interfaces: { type: 'string', default: 'v3,v2' },
    keys: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '1,16' },
    only: { type: 'string', default: '' },
    compare: { type: 'string', default: '25' },
    ignore: { type: 'string', default: '' },
    'key-a': { type: 'string' },
    'key-b': { type: 'string' },
    'pids-a': { type: 'string' },
    'pids-b': { type: 'string' },
    out: { type: 'string' },
  },
});
const [urlA, urlB] = positionals;
if (urlA === undefined || urlB === undefined || positionals.length > 2)
  throw new Error(
    'Two URLs are expected, as in: npm run bench:beside -- http://127.0.0.1:8081 http://127.0.0.1:8082',
  );

const interfaces = values.interfaces.split(',');
const unknown = interfaces.find((name) => name !== 'v2' && name !== 'v3');
if (unknown !== undefined) throw new Error(`--interfaces has "${unknown}"; there are v2 and v3`);
const only = values.only.split(';');
const ignored = new Set(values.ignore.split(',').filter(Boolean));

const endpoints = [
  createEndpoint({ name: 'A', url: urlA, apiKey: values['key-a'], pids: pidsOf(values['pids-a']) }),
  createEndpoint({ name: 'B', url: urlB, apiKey: values['key-b'], pids: pidsOf(values['pids-b']) }),
] as const;

const keys = await sampleKeys(endpoints[0], positiveInteger('keys'));
const cases = [
  ...(interfaces.includes('v3') ? createV3Cases(keys) : []),
  ...(interfaces.includes('v2') ? createV2Cases(keys) : []),
].filter(({ name }) => only.some((part) => name.includes(part)));

const reported: ReportedCase[] = [];
for (const benchCase of cases) {
  const answers = await compareAnswers(benchCase, endpoints, positiveInteger('compare'), ignored);
  const loads = [];
  for (const connections of values.connections.split(',').map(Number)) {
    loads.push(
      await measureCase(benchCase, endpoints, {
        connections,
        rounds: positiveInteger('rounds'),
        seconds: Number(values.seconds),
      }),
    );
  }
  reported.push({ name: benchCase.name, keys: benchCase.keys, answers, loads });
  console.error(`${benchCase.name}: ${loads.map(({ ratio }) => ratio.toFixed(2)).join(', ')}`);
}

const report: Report = { ...runInfo(), urls: [urlA, urlB], keys: positiveInteger('keys'), cases: reported };
const page = toMarkdown(report);
if (values.out !== undefined) writeFileSync(values.out, page);
console.log(page);
process.exit(0);

function pidsOf(list = ''): readonly number[] {
  return list.split(',').filter(Boolean).map(Number);
}

function positiveInteger(name: 'keys' | 'rounds' | 'compare'): number {
  const number = Number(values[name]);
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} must be a positive integer`);
  return number;
}
