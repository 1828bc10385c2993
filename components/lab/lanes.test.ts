import { describe, expect, test } from 'vitest';
import { assignLanes } from './lanes';

describe('lanes', () => {
  test('a job keeps its lane when a neighbour ends', () => {
    expect(assignLanes(['a', 'b', 'c'], ['b', 'c'], 3)).toEqual([null, 'b', 'c']);
    expect(assignLanes([null, 'b', 'c'], ['b', 'c', 'd'], 3)).toEqual(['d', 'b', 'c']);
  });
  test('fewer lanes lose no job', () => {
    expect(assignLanes(['a', null, 'c'], ['a', 'c'], 2)).toEqual(['a', 'c']);
    expect(assignLanes([], ['a', 'b', 'c'], 2)).toEqual(['a', 'b', 'c']);
  });
});
