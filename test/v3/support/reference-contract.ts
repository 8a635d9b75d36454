import { readFileSync } from 'node:fs';

const SPEC = new URL('../../../../shared/spec/', import.meta.url);

interface ObjectSchema {
  readonly properties: Readonly<Record<string, object>>;
}

/** The contract of the reference, as far as tests read it by name. */
interface ReferenceContract {
  readonly paths: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
  /** The schemas of the details of each action type. */
  readonly 'x-action-details': Readonly<Record<string, string | readonly string[]>>;
  /** Sets of action types. */
  readonly 'x-action-shortcuts': Readonly<Record<string, readonly string[]>>;
}

/** The contract of the reference with the additions of its 1.3 line. */
export function readReferenceContract(): ReferenceContract {
  const [first, added] = ['v3.contract.json', 'v3-additions.contract.json'].map(
    (name): ReferenceContract => JSON.parse(readFileSync(new URL(name, SPEC), 'utf8')),
  ) as [ReferenceContract, ReferenceContract];
  const schemas = { ...first.components.schemas, ...added.components.schemas };
  const raw = schemas.RawAction as ObjectSchema;
  return {
    ...first,
    paths: { ...first.paths, ...added.paths },
    components: {
      // The text adds this key, the schema is still that of the earlier line.
      schemas: { ...schemas, RawAction: { ...raw, properties: { ...raw.properties, Extra: {} } } },
    },
    'x-action-details': { ...first['x-action-details'], ...added['x-action-details'] },
    'x-action-shortcuts': { ...first['x-action-shortcuts'], ...added['x-action-shortcuts'] },
  };
}
