import { expect } from 'vitest';
import { sampled } from '../../support/long-run.ts';
import { createDemoRequests, type DemoRequest } from '../support/demo-requests.ts';
import type { FaultyServers } from '../support/faulty-servers.ts';
import type { TransportResponse } from '../support/transports.ts';

/** One question to v2. */
interface Question extends Pick<DemoRequest, 'title' | 'params'> {
  readonly name: string;
}

/** What is wrong with an answer. */
interface Fault {
  readonly title: string;
  readonly status: number;
  /** The text of a refusal; undefined for a result that is not right. */
  readonly error: string | undefined;
  readonly result: unknown;
}

/** Right answers by the titles of the questions. */
type Truth = ReadonlyMap<string, string>;

/** Questions of all kinds to a ground with the demo whose head stands still, and what is right. */
export interface RequestStorm {
  readonly questions: readonly Question[];
  /** Those that send nothing. */
  readonly reads: readonly Question[];
  ask(question: Question): Promise<TransportResponse>;
  /** Asks everything once, when all is well, and keeps the answers. */
  truth(): Promise<Truth>;
  /** What is wrong with an answer; undefined if nothing. */
  faultOf(question: Question, answer: TransportResponse, truth: Truth): Fault | undefined;
  /** Asks everything several times at once; `during` is told how many are answered. */
  blow(
    truth: Truth,
    during?: (answered: number) => Promise<void> | void,
  ): Promise<{ faults: Fault[]; answers: TransportResponse[] }>;
}

const LANES = sampled(2, 3);
/** Answers after which v2 is made to forget what it has read, so that lite servers are asked again. */
const MEMORY = 60;
/** Operations whose answers differ although the head stands still. */
const NEVER_THE_SAME = /^(?:getConsensusBlock|send.*)$/;

/** Prepares the questions. */
export async function createRequestStorm(ground: FaultyServers): Promise<RequestStorm> {
  const byName = Object.entries(await createDemoRequests(ground));
  const questions = byName.flatMap(([name, some]) =>
    some.map(({ title, params }) => ({ title: `${name}: ${title}`, name, params })),
  );
  const reads = questions.filter(({ name }) => !name.startsWith('send'));
  let turn = 0;

  const ask: RequestStorm['ask'] = ({ name, params }) => ground.call(name, params(turn++));

  const faultOf: RequestStorm['faultOf'] = ({ title, name }, { status, body: { error, result } }, truth) => {
    const isRight = NEVER_THE_SAME.test(name) || JSON.stringify(result) === truth.get(title);
    return status === 200 && isRight ? undefined : { title, status, error, result };
  };

  return {
    questions,
    reads,
    ask,
    faultOf,
    async truth() {
      ground.forget();
      const truth = new Map<string, string>();
      for (const question of reads) {
        const { status, body } = await ask(question);
        expect({ question, status, error: body.error }).toEqual({ question, status: 200 });
        truth.set(question.title, JSON.stringify(body.result));
      }
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
          if (answers.push(answer) % MEMORY === 0) ground.forget();
          await during(answers.length);
        }
      }
      ground.forget();
      const firsts = Array.from({ length: LANES }, (_, at) => Math.floor((at * questions.length) / LANES));
      await Promise.all(firsts.map(lane));
      return { faults, answers };
    },
  };
}
