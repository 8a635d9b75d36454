import { type Argument, type Expression, isExpression, type Layout, type RecordPart } from './layout.ts';

/** The names of all numbers that a record needs to be read: parameters, and fields that others depend on. */
export function usedNames(parts: readonly RecordPart[]): Set<string> {
  const names = new Set<string>();
  for (const part of parts) visitPart(part, names);
  return names;
}

function visitPart(part: RecordPart, names: Set<string>): void {
  if (part.kind === 'constraint') {
    visitExpression(part.left, names);
    visitExpression(part.right, names);
    return;
  }
  if (part.when !== undefined) names.add(part.when.name);
  visitLayout(part.layout, names);
}

function visitLayout(layout: Layout, names: Set<string>): void {
  if (layout.kind === 'bitsOf') visitExpression(layout.length, names);
  else if (layout.kind === 'ref' || layout.kind === 'maybe') visitLayout(layout.of, names);
  else if (layout.kind === 'dict' || layout.kind === 'tree') visitLayout(layout.value, names);
  else if (layout.kind === 'either') {
    visitLayout(layout.left, names);
    visitLayout(layout.right, names);
  } else if (layout.kind === 'record') for (const part of layout.parts) visitPart(part, names);
  else if (layout.kind === 'named') for (const argument of layout.arguments) visitArgument(argument, names);
}

function visitArgument(argument: Argument, names: Set<string>): void {
  if (isExpression(argument)) visitExpression(argument, names);
  else visitLayout(argument, names);
}

function visitExpression(expression: Expression, names: Set<string>): void {
  if (expression.kind === 'name') names.add(expression.name);
  else if (expression.kind !== 'number') {
    visitExpression(expression.left, names);
    visitExpression(expression.right, names);
  }
}
