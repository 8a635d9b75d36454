import type { Condition, Constraint, Expression, Layout } from '../notation/layout.ts';
import type { Environment } from './run.ts';

/** What the names in a constructor stand for. */
export interface Scope {
  /** Numbers that something depends on. */
  readonly used: ReadonlySet<string>;
  /** The place of each number in the environment. */
  readonly places: Map<string, number>;
  /** Layouts that the constructor was given. */
  readonly layouts: ReadonlyMap<string, Layout>;
}

/** Turns an expression into a function of the environment. */
export function compileExpression(expression: Expression, scope: Scope): (env: Environment) => number {
  if (expression.kind === 'number') {
    const { value } = expression;
    return () => value;
  }
  if (expression.kind === 'name') {
    const place = placeOf(expression.name, scope);
    return (env) => env[place]!;
  }
  const left = compileExpression(expression.left, scope);
  const right = compileExpression(expression.right, scope);
  return expression.kind === 'sum' ? (env) => left(env) + right(env) : (env) => left(env) * right(env);
}

/** Turns a condition into a function of the environment. */
export function compileCondition({ name, bit }: Condition, scope: Scope): (env: Environment) => boolean {
  const place = placeOf(name, scope);
  if (bit === undefined) return (env) => env[place] !== 0;
  return (env) => ((env[place]! >> bit) & 1) === 1;
}

/** Turns a constraint into a function of the environment. */
export function compileConstraint(constraint: Constraint, scope: Scope): (env: Environment) => boolean {
  const left = compileExpression(constraint.left, scope);
  const right = compileExpression(constraint.right, scope);
  if (constraint.order === '=') return (env) => left(env) === right(env);
  return constraint.order === '<=' ? (env) => left(env) <= right(env) : (env) => left(env) >= right(env);
}

function placeOf(name: string, { places }: Scope): number {
  const place = places.get(name);
  if (place === undefined) throw new Error(`"${name}" is not known yet where it is used`);
  return place;
}
