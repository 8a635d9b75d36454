import { defineOperation } from '../../http/operation.ts';
import { Failure } from '../../lib/failure.ts';
import type { V2Call } from '../call.ts';
import { getLibrariesExamples } from '../examples/get-libraries.ts';
import { hashList } from '../params/hash-list.ts';
import { readPublicLibraries } from '../reads/public-libraries.ts';
import { LibraryResult, libraryResult } from '../shapes/library-result.ts';

const MAX_LIBRARIES = 16;
const TOO_MANY = `INVALID_FIELD: Field library_list has invalid value : too many libraries requested, ${MAX_LIBRARIES} maximum`;

/** Public libraries by their hashes. */
export const getLibraries = defineOperation({
  name: 'getLibraries',
  methods: ['GET', 'POST'],
  tag: 'config',
  summary: 'Public libraries by their hashes',
  description: 'In ascending order of their hashes. A library that does not exist is left out.',
  parameters: { libraries: hashList('Hashes of libraries; repeat it for several.', MAX_LIBRARIES) },
  result: LibraryResult,
  errors: [{ code: 500, when: `More than ${MAX_LIBRARIES} libraries, or a lite server failed` }],
  cache: 'immutable',
  examples: [
    ...getLibrariesExamples,
    {
      title: 'nothing',
      params: {},
      result: { '@type': 'smc.libraryResult', result: [] },
    },
    {
      title: 'not a hash',
      params: { libraries: ['zz'] },
      failure: {
        code: 422,
        text: {
          query: 'failed to parse get request: failed to parse libraries',
          body: "failed to parse post request: Error at path 'libraries': failed to parse libraries",
        },
      },
    },
  ],
  handler: async ({ libraries }, call: V2Call) => {
    // Existing clients know this mistake by the code and the text of a failed lite server.
    if (libraries.length > MAX_LIBRARIES) throw new Failure('lite_server', TOO_MANY);
    const found = await readPublicLibraries(call, libraries);
    // What was found can never be another; what was not may be published later.
    call.lasting = libraries.every((wanted) => found.some(({ hash }) => hash.equals(wanted)));
    return libraryResult(found);
  },
});
