import type { TSchema } from 'typebox';
import {
  defineOperation,
  type Operation,
  type OperationDefinition,
  type ParameterSet,
} from '../http/operation.ts';
import type { LiveCall } from '../live/session.ts';
import { examplesOf } from './examples.ts';

type Definition<P extends ParameterSet, R extends TSchema> = OperationDefinition<LiveCall, P, R>;

/** Declares an operation of v2 with its examples; its methods are GET and POST unless others are given. */
export function defineV2Operation<P extends ParameterSet, R extends TSchema>(
  definition: Omit<Definition<P, R>, 'name' | 'methods' | 'examples'> & {
    readonly name: Parameters<typeof examplesOf>[0];
    readonly methods?: Definition<P, R>['methods'];
  },
): Operation<LiveCall> {
  return defineOperation({ methods: ['GET', 'POST'], ...definition, examples: examplesOf(definition.name) });
}
