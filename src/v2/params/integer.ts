import Type from 'typebox';
import type { Parameter, ParameterInput } from '../../http/operation.ts';
import { Failure } from '../../lib/failure.ts';
import { missingRefusal, parseRefusal, VALIDATE_PREFIX } from './refusal.ts';

/** What an integer parameter allows beside fitting its size. */
export interface IntegerRule {
  readonly description: string;
  /** 1 for a positive number, 0 for one that is not negative. */
  readonly minimum?: 0 | 1;
  readonly maximum?: number;
  /** What is said where a required one is not in a query string; otherwise that it cannot be parsed. */
  readonly missing?: string;
}

const INT32 = { least: -(2n ** 31n), most: 2n ** 31n - 1n };
const INT64 = { least: -(2n ** 63n), most: 2n ** 63n - 1n };
const DECIMAL = /^[+-]?[0-9]{1,20}$/;

/** A required integer of 32 bits. */
export function requiredInt32(rule: IntegerRule): Parameter<number> {
  return { ...shapeOf(rule, true), read: (input) => Number(readRequired(input, rule, INT32)) };
}

/** An optional integer of 32 bits. */
export function optionalInt32(rule: IntegerRule): Parameter<number | undefined>;
export function optionalInt32(rule: IntegerRule, fallback: number): Parameter<number>;
export function optionalInt32(rule: IntegerRule, fallback?: number): Parameter<number | undefined> {
  const shape = shapeOf(rule, false);
  return {
    ...shape,
    schema: fallback === undefined ? shape.schema : { ...shape.schema, default: fallback },
    read: (input) => {
      const value = readInteger(input, rule, INT32);
      return value === undefined ? fallback : Number(value);
    },
  };
}

/** A required integer of 64 bits, such as a logical time. */
export function requiredInt64(rule: IntegerRule): Parameter<bigint> {
  return { ...shapeOf(rule, true), read: (input) => readRequired(input, rule, INT64) };
}

/** An optional integer of 64 bits. */
export function optionalInt64(rule: IntegerRule): Parameter<bigint | undefined> {
  return { ...shapeOf(rule, false), read: (input) => readInteger(input, rule, INT64) };
}

function shapeOf({ description, minimum, maximum }: IntegerRule, required: boolean) {
  const bounds = { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
  return { schema: Type.Integer(bounds), description, required };
}

function readRequired(input: ParameterInput, rule: IntegerRule, size: typeof INT64): bigint {
  const value = readInteger(input, rule, size);
  if (value !== undefined) return value;
  if (input.origin === 'body') throw missingRefusal(input);
  throw parseRefusal(input, rule.missing ?? `failed to parse ${input.name}`);
}

function readInteger(input: ParameterInput, rule: IntegerRule, size: typeof INT64): bigint | undefined {
  const given = input.values[0];
  if (given === undefined || given === null || given === '') return undefined;
  const value = toInteger(given);
  if (value === undefined || value < size.least || value > size.most)
    throw parseRefusal(input, `failed to parse ${input.name}`);
  checkBounds(input.name, value, rule);
  return value;
}

function toInteger(given: unknown): bigint | undefined {
  if (typeof given === 'bigint') return given;
  if (typeof given === 'number') return Number.isSafeInteger(given) ? BigInt(given) : undefined;
  return typeof given === 'string' && DECIMAL.test(given) ? BigInt(given.replace('+', '')) : undefined;
}

function checkBounds(name: string, value: bigint, { minimum, maximum }: IntegerRule): void {
  const fault =
    minimum !== undefined && value < minimum
      ? `should be ${minimum === 1 ? 'positive' : 'non-negative'}`
      : maximum !== undefined && value > maximum
        ? `should be less or equal ${maximum}`
        : undefined;
  if (fault !== undefined)
    throw new Failure('invalid', `${VALIDATE_PREFIX}${name} ${fault}`, { details: { parameter: name } });
}
