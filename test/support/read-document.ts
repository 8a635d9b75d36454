import { readFileSync } from 'node:fs';

// biome-ignore lint/suspicious/noExplicitAny: a parsed OpenAPI document
type Json = any;

export const DOCUMENTS = ['v2', 'v3', 'emulate', 'streaming', 'localnet', 'account', 'admin'] as const;

/** An OpenAPI document of the repository; another test sees that it is that of the routes. */
export function readDocument(name: (typeof DOCUMENTS)[number]): Json {
  return JSON.parse(readFileSync(new URL(`../../openapi/${name}.json`, import.meta.url), 'utf8'));
}
