import Type from 'typebox';
import { createApiKey } from '../access/keys.ts';
import { DEFAULT_PLAN, PLANS, readKeySettings, readName, readPlan } from '../access/plans.ts';
import {
  type ApiKey,
  changeApiKeyPlan,
  ensureOwner,
  findApiKey,
  findOwner,
  type KeyOwner,
  listApiKeys,
  listOwners,
  revokeApiKey,
  revokeKeysOfOwner,
  shareOwnerPlan,
} from '../access/stored-keys.ts';
import type { Database } from '../db/connection.ts';
import {
  createRouteDefiner,
  integerIn,
  optionalText,
  type RestCall,
  type RestRoute,
  requiredText,
  textList,
  wrongParameter,
} from '../http/rest-routes.ts';
import { Failure } from '../lib/errors.ts';
import { quoted } from '../lib/wrong-value.ts';

interface KeyPorts {
  readonly database: Pick<Database, 'write'>;
}

const MAX_RPS = 100_000;
const defineRoute = createRouteDefiner<KeyPorts>({ tag: 'keys' });
const planParameters = {
  plan: optionalText(`Name of a plan; \`${DEFAULT_PLAN}\` if left out.`),
  rps: integerIn('Requests per second; those of the plan if left out.', [1, MAX_RPS], undefined),
};
const SharedSchema = Type.Union([Type.Object({ plan: Type.String(), rps: Type.Integer() }), Type.Null()]);
const OwnerSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    shared: SharedSchema,
    keys: Type.Integer({ description: 'Keys that are not revoked.' }),
    created_at: Type.Integer({ description: 'Unix seconds.' }),
  },
  { title: 'Owner' },
);
const nullableTime = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });
const KeySchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    owner: Type.Union([
      Type.Object({ id: Type.String(), name: Type.String(), shared: SharedSchema }),
      Type.Null(),
    ]),
    plan: Type.String(),
    rps: Type.Integer({ description: 'Requests per second, unless the owner shares a plan.' }),
    networks: Type.Array(Type.String(), { description: 'Empty for all.' }),
    created_at: Type.Integer({ description: 'Unix seconds.' }),
    last_used_at: nullableTime('Unix seconds; null if it was never used.'),
    revoked_at: nullableTime('Unix seconds; null if it is valid.'),
  },
  { title: 'Key' },
);

export const keyRoutes: readonly RestRoute<KeyPorts>[] = [
  defineRoute({
    method: 'GET',
    path: '/plans',
    operation: 'plans',
    summary: 'List the plans',
    result: Type.Object({
      plans: Type.Array(
        Type.Object({ name: Type.String(), rps: Type.Integer(), description: Type.String() }),
      ),
      default: Type.String(),
    }),
    handler: () => ({ plans: PLANS.map((plan) => ({ ...plan })), default: DEFAULT_PLAN }),
  }),
  defineRoute({
    method: 'GET',
    path: '/owners',
    operation: 'owners',
    summary: 'List the owners of keys',
    result: Type.Object({ owners: Type.Array(OwnerSchema) }),
    handler: async (_call, { database }) => ({
      owners: (await database.write((db) => listOwners(db))).map(ownerJson),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/owners',
    operation: 'createOwner',
    summary: 'Create an owner',
    description: 'With a plan, all keys of the owner have it and share its rate.',
    parameters: { name: requiredText('Name of the owner.'), ...planParameters },
    status: 201,
    result: OwnerSchema,
    errors: [{ code: 409, when: 'There is an owner of that name' }],
    handler: async ({ values }, { database }) => {
      const name = readName('name', values.name, wrongOption);
      const shared = values.plan === undefined && values.rps === undefined ? null : planOf(values);
      return database.write(async (db) => {
        if ((await findOwner(db, { name })) !== undefined)
          throw new Failure('conflict', `there is an owner ${quoted(name)} already`);
        const { id } = await ensureOwner(db, { name });
        return ownerJson((await shareOwnerPlan(db, { id, shared }))!);
      });
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/owners/:id/share',
    operation: 'shareOwnerPlan',
    summary: 'Give all keys of an owner one plan, whose rate they share',
    parameters: planParameters,
    result: OwnerSchema,
    errors: [{ code: 404, when: 'There is no such owner' }],
    handler: ({ values, path }, { database }) => setShared(database, path, planOf(values)),
  }),
  defineRoute({
    method: 'POST',
    path: '/owners/:id/unshare',
    operation: 'unshareOwnerPlan',
    summary: 'Give each key of an owner its own rate again',
    result: OwnerSchema,
    errors: [{ code: 404, when: 'There is no such owner' }],
    handler: ({ path }, { database }) => setShared(database, path, null),
  }),
  defineRoute({
    method: 'POST',
    path: '/owners/:id/revoke',
    operation: 'revokeKeysOfOwner',
    summary: 'Revoke all keys of an owner',
    result: Type.Object({ revoked: Type.Integer({ description: 'Keys that were valid until now.' }) }),
    errors: [{ code: 404, when: 'There is no such owner' }],
    handler: async ({ path }, { database }) => {
      const owner = await database.write((db) => findOwner(db, { id: path.id! }));
      if (owner === undefined) throw noOwner(path);
      return { revoked: await database.write((db) => revokeKeysOfOwner(db, { ownerId: owner.id })) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/keys',
    operation: 'keys',
    summary: 'List the keys, without their secrets',
    parameters: { owner: optionalText('Id of an owner; keys of all if left out.') },
    result: Type.Object({ keys: Type.Array(KeySchema) }),
    errors: [{ code: 404, when: 'There is no such owner' }],
    handler: async ({ values: { owner } }, { database }) =>
      database.write(async (db) => {
        if (owner !== undefined && (await findOwner(db, { id: owner })) === undefined)
          throw noOwner({ id: owner });
        return { keys: (await listApiKeys(db, { ownerId: owner })).map(keyJson) };
      }),
  }),
  defineRoute({
    method: 'POST',
    path: '/keys',
    operation: 'createKey',
    summary: 'Create a key',
    description: 'The response has the key itself, which is not stored and not shown again.',
    parameters: {
      name: requiredText('Name of the key.'),
      owner: optionalText('Name of the owner, who is created if there is none.'),
      ...planParameters,
      networks: textList('Networks that the key is good for; all if left out.'),
    },
    status: 201,
    result: Type.Intersect([KeySchema, Type.Object({ key: Type.String() })]),
    handler: async ({ values }, { database }) => {
      const { name, owner, plan, rps, networks } = values;
      const settings = readKeySettings(
        {
          name,
          owner,
          plan,
          rps: rps === undefined ? undefined : String(rps),
          networks: networks === undefined || networks.length === 0 ? undefined : networks.join(','),
        },
        wrongOption,
      );
      const { key, row } = await createApiKey(database, settings);
      return { ...keyJson(row), key };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/keys/:id/plan',
    operation: 'changeKeyPlan',
    summary: 'Give a key another plan',
    parameters: planParameters,
    result: KeySchema,
    errors: [{ code: 404, when: 'There is no such key' }],
    handler: async ({ values, path }, { database }) => {
      const plan = planOf(values);
      const key = await database.write((db) => changeApiKeyPlan(db, { id: path.id!, ...plan }));
      if (key === undefined) throw noKey(path);
      return keyJson(key);
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/keys/:id/revoke',
    operation: 'revokeKey',
    summary: 'Revoke a key',
    description: 'It stops working in every process within five seconds, for good.',
    result: KeySchema,
    errors: [{ code: 404, when: 'There is no such key' }],
    handler: async ({ path }, { database }) =>
      database.write(async (db) => {
        if ((await findApiKey(db, { id: path.id! })) === undefined) throw noKey(path);
        return keyJson((await revokeApiKey(db, { id: path.id! }))!);
      }),
  }),
];

type Path = RestCall['path'];

async function setShared(
  database: KeyPorts['database'],
  { id }: Path,
  shared: { readonly plan: string; readonly rps: number } | null,
) {
  const owner = await database.write((db) => shareOwnerPlan(db, { id: id!, shared }));
  if (owner === undefined) throw noOwner({ id: id! });
  return ownerJson(owner);
}

function noOwner({ id }: Path): Failure {
  return new Failure('not_found', `there is no owner with the id ${quoted(id!)}`);
}

function noKey({ id }: Path): Failure {
  return new Failure('not_found', `there is no key with the id ${quoted(id!)}`);
}

function planOf({ plan, rps }: { readonly plan: string | undefined; readonly rps: number | undefined }) {
  return readPlan({ plan, rps: rps === undefined ? undefined : String(rps) }, wrongOption);
}

function wrongOption(name: string, value: string | undefined, expected: string): Failure {
  return wrongParameter(name, expected, value);
}

function ownerJson({ id, name, shared, keys, createdAt }: KeyOwner) {
  return { id, name, shared, keys, created_at: createdAt };
}

function keyJson({ id, name, owner, plan, rps, networks, createdAt, lastUsedAt, revokedAt }: ApiKey) {
  return {
    id,
    name,
    owner,
    plan,
    rps,
    networks: [...networks],
    created_at: createdAt,
    last_used_at: lastUsedAt,
    revoked_at: revokedAt,
  };
}
