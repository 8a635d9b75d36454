import { readFileSync } from 'node:fs';

// biome-ignore lint/suspicious/noExplicitAny: a parsed OpenAPI document
type Json = any;

/** An OpenAPI document of the repository; another test sees that it is that of the routes. */
export function readDocument(name: 'v2' | 'v3' | 'emulate' | 'localnet' | 'account' | 'admin'): Json {
  return JSON.parse(readFileSync(new URL(`../../openapi/${name}.json`, import.meta.url), 'utf8'));
}
