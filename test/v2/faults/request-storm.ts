import { expect } from 'vitest';
import { oneOfEach, sampled } from '../../support/long-run.ts';
import { createDemoRequests, type DemoRequest } from '../support/demo-requests.ts';
import type { FaultyServers } from '../support/faulty-servers.ts';
import type { TransportResponse } from '../support/transports.ts';

/** One request to v2. */
interface Question extends Pick<DemoRequest, 'title' | 'params'> {
  readonly name: string;
}

/** A wrong response. */
interface Fault {
  readonly title: string;
  readonly status: number;
  /** The error text; undefined for a wrong result. */
  readonly error: string | undefined;
  readonly result: unknown;
}

/** Correct results by the titles of the requests. */
type Truth = ReadonlyMap<string, string>;

/** Requests of all kinds (in a sample, one to each operation) to a chain with the demo that makes no blocks, and their correct results. */
export interface RequestStorm {
  readonly questions: readonly Question[];
  /** Requests that send no messages. */
  readonly reads: readonly Question[];
  /** How many responses a storm has. */
  readonly count: number;
  ask(question: Question): Promise<TransportResponse>;
  /** Sends every request once per head while all servers are good, and keeps the results. */
  truth(): Promise<Truth>;
  /** Checks a response; undefined if it is correct. */
  faultOf(question: Question, answer: TransportResponse, truth: Truth): Fault | undefined;
  /** Sends every request several times at once; `during` is called with the number of responses. */
  blow(
    truth: Truth,
    during?: (answered: number) => Promise<void> | void,
  ): Promise<{ faults: Fault[]; answers: TransportResponse[] }>;
}

const LANES = sampled(2, 3);
/** Responses after which the caches are cleared, so that lite servers are queried again. */
const MEMORY = sampled(20, 60);
/** Operations whose results differ even at the same head. */
const NEVER_THE_SAME = /^(?:getConsensusBlock|send.*)$/;

/** Prepares the requests. */
export async function createRequestStorm(context: FaultyServers): Promise<RequestStorm> {
  const byName = Object.entries(await createDemoRequests(context));
  const all = byName.flatMap(([name, some]) =>
    some.map(({ title, params }) => ({ title: `${name}: ${title}`, name, params })),
  );
  const questions = oneOfEach(all, ({ name }) => name);
  const reads = questions.filter(({ name }) => !name.startsWith('send'));
  const truths = new Map<number, Truth>();
  let turn = 0;

  const ask: RequestStorm['ask'] = ({ name, params }) => context.call(name, params(turn++));

  const faultOf: RequestStorm['faultOf'] = ({ title, name }, { status, body: { error, result } }, truth) => {
    const isRight = NEVER_THE_SAME.test(name) || JSON.stringify(result) === truth.get(title);
    return status === 200 && isRight ? undefined : { title, status, error, result };
  };

  return {
    questions,
    reads,
    count: LANES * questions.length,
    ask,
    faultOf,
    async truth() {
      context.forget();
      const { seqno } = context.pool.head!;
      const known = truths.get(seqno);
      if (known !== undefined) return known;
      const truth = new Map<string, string>();
      for (const question of reads) {
        const { status, body } = await ask(question);
        expect({ question, status, error: body.error }).toEqual({ question, status: 200 });
        truth.set(question.title, JSON.stringify(body.result));
      }
      truths.set(seqno, truth);
      return truth;
    },
    async blow(truth, during = () => {}) {
      const faults: Fault[] = [];
      const answers: TransportResponse[] = [];
      async function lane(first: number): Promise<void> {
        for (const question of [...questions.slice(first), ...questions.slice(0, first)]) {
          const answer = await ask(question);
          const fault = faultOf(question, answer, truth);
          if (fault !== undefined) faults.push(fault);
          if (answers.push(answer) % MEMORY === 0) context.forget();
          await during(answers.length);
        }
      }
      context.forget();
      const firsts = Array.from({ length: LANES }, (_, at) => Math.floor((at * questions.length) / LANES));
      await Promise.all(firsts.map(lane));
      return { faults, answers };
    },
  };
}
