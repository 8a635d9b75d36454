import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';

/** Parameters of a request; several values of one are repeated. */
export type ListQuery = Readonly<Record<string, string | readonly string[]>>;

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
type Json = any;

/** Asks an operation that answers with a list, under its own name or another, all at once or page by page. */
export function createListAsker(app: FastifyInstance, name: string, key = name) {
  const inject = async (query: ListQuery, headers: Record<string, string> = {}) => {
    const pairs = Object.entries(query).flatMap(([key, value]) =>
      [value].flat().map((each): [string, string] => [key, each]),
    );
    return app.inject({ url: `/api/v3/${name}?${new URLSearchParams(pairs)}`, headers });
  };
  const ask = async (query: ListQuery): Promise<Json> => {
    const answer = await inject(query);
    expect(answer.statusCode, `${JSON.stringify(query)} ${answer.body.slice(0, 300)}`).toBe(200);
    return answer.json();
  };
  return {
    inject,
    ask,
    /** The rows of one page that is large enough for all. */
    rows: async (query: ListQuery): Promise<Json[]> => (await ask({ ...query, limit: '1000' }))[key],
    /** The rows of all pages, by offset. */
    async byOffset(query: ListQuery, limit: number): Promise<Json[]> {
      const rows: Json[] = [];
      for (;;) {
        const page = (await ask({ ...query, limit: `${limit}`, offset: `${rows.length}` }))[key];
        rows.push(...page);
        if (page.length < limit) return rows;
      }
    },
    /** The rows of all pages, by the cursor that each gives for the next. */
    async byCursor(query: ListQuery, limit: number): Promise<Json[]> {
      const rows: Json[] = [];
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const answer = await inject({ ...query, limit: `${limit}`, ...(cursor && { cursor }) });
        expect(answer.statusCode, answer.body).toBe(200);
        rows.push(...answer.json()[key]);
        cursor = /cursor=([^&>]*)/.exec(`${answer.headers.link ?? ''}`)?.[1];
      }
      return rows;
    },
  };
}
