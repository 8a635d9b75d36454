import type { Rule } from '../rule.ts';
import { answerRules } from './answer-rules.ts';
import { refusalRules } from './refusal-rules.ts';
import { shapeRules } from './shape-rules.ts';
import { timeRules } from './time-rules.ts';

/** All rules in the order in which they are applied: other questions' answers first, for their form is changed then. */
export const rules: readonly Rule[] = [...answerRules, ...timeRules, ...refusalRules, ...shapeRules];
