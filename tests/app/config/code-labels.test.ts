/** VITE_CODE_LABELS: labels that an operator gives, parsed and bounded. */
import { describe, expect, test } from 'vitest'
import { readCodeLabels } from '#app/config/env.ts'
import { pitLabel } from '#schemas/device/runtime-config.ts'

const read = (text: string) => {
  const told: string[] = []
  return { labels: readCodeLabels(text, (message) => told.push(message)), told }
}
const many = (count: number, label = 'a') =>
  JSON.stringify({ site: Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}`, label])) })

describe('[spec 3] labels by configuration', () => {
  test.each([
    ['{"site": {"3": "機械室"}, "guide": {"1": "要"}}', { site: { '3': '機械室' }, guide: { '1': '要' } }],
    ['{}', {}],
    ['', {}],
  ])('%s', (text, labels) => expect(read(text)).toEqual({ labels, told: [] }))

  test.each([
    '{',
    'null',
    '[]',
    '"site"',
    '{"depth": {"1": "浅い"}}',
    '{"site": ["機械室"]}',
    '{"site": {"3": 3}}',
    '{"site": {"3": ""}}',
    '{"site": {"": "機械室"}}',
    '{"site": {"123456789": "機械室"}}',
    '{"toString": {"3": "機械室"}}',
    many(101),
    many(1, 'x'.repeat(51)),
  ])('%s is told, and gives none', (text) =>
    expect(read(text)).toEqual({ labels: {}, told: ['設定 VITE_CODE_LABELS が正しくありません'] }),
  )

  test('as much as fits', () => expect(Object.keys(read(many(100)).labels.site ?? {})).toHaveLength(100))

  test.each([
    ['3', '機械室'],
    ['4', null],
    ['北側', '北側'],
    ['constructor', 'constructor'],
  ])('code %s: %s', (code, label) => expect(pitLabel({ site: { '3': '機械室' } }, 'site', code)).toBe(label))
})
