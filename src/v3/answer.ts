import type { FastifyReply } from 'fastify';
import type { Headers } from '../http/answer-head.ts';
import { namesTag, weakTag } from '../http/entity-tag.ts';
import { sendNotModified } from '../http/json-reply.ts';
import type { V3AnswerNotes } from './call.ts';
import { sendV3, v3Headers } from './envelope.ts';

/** Sends the answer of an operation with its headers, or that the caller has it already. */
export function answerV3(
  reply: FastifyReply,
  json: string,
  { nextCursor, isLive }: V3AnswerNotes,
  isTagged: boolean,
): FastifyReply {
  const { request } = reply;
  const headers: Headers = {
    ...(nextCursor !== undefined && { link: `<${nextPage(request.originalUrl, nextCursor)}>; rel="next"` }),
    ...(isLive && { 'x-tongate-source': 'lite-server' }),
  };
  if (!isTagged || request.method === 'POST') return sendV3(reply, json, headers);
  // Every use passes keys and limits, so it may be kept only to ask whether it is still so.
  const tagged = { ...headers, etag: weakTag(json), 'cache-control': 'no-cache' };
  if (namesTag(request.headers['if-none-match'], tagged.etag))
    return sendNotModified(reply, { ...v3Headers(reply), ...tagged });
  return sendV3(reply, json, tagged);
}

/** The same question about the next page, as a reference relative to this one. */
function nextPage(url: string, cursor: string): string {
  const query = new URLSearchParams(url.split('?', 2)[1] ?? '');
  for (const name of [...query.keys()])
    if (/^(?:offset|cursor|api_key)(?:\[\])?$/i.test(name)) query.delete(name);
  query.set('cursor', cursor);
  return `?${query}`;
}
