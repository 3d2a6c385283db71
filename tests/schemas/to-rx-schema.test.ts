import { type } from 'arktype'
import { describe, expect, test } from 'vitest'
import { durableCollections, rxSchemas } from '#schemas/collections/collections.ts'
import { toRxSchema } from '#build/rx-schemas.ts'

const record = type({
  key: 'string <= 40',
  day: 'string <= 10',
  state: "'asked' | 'answered'",
  label: 'string',
  maybe: 'string <= 10 | null',
  'perhaps?': 'string <= 10',
  count: 'number',
})
type Row = typeof record.infer
const schemaWith = (index: keyof Row) =>
  toRxSchema<Row>(record, { version: 0, primaryKey: 'key', indexes: [index] })

test('a schema says what the type says', () => {
  const schema = toRxSchema<Row>(record, {
    version: 2,
    primaryKey: 'key',
    indexes: ['day', ['state', 'day']],
  })
  expect(schema).toMatchObject({
    version: 2,
    primaryKey: 'key',
    type: 'object',
    additionalProperties: false,
    indexes: ['day', ['state', 'day']],
    properties: {
      key: { type: 'string', maxLength: 40 },
      day: { type: 'string', maxLength: 10 },
      state: { type: 'string', enum: ['answered', 'asked'], maxLength: 8 },
      count: { type: 'number' },
    },
  })
  expect(schema.required.toSorted()).toEqual(['count', 'day', 'key', 'label', 'maybe', 'state'])
  expect(JSON.stringify(schema)).not.toContain('$schema')
})

describe('[trap 11] an index that would silently drop records is refused', () => {
  test.each(['day', 'state'] as const)('%s can be one', (index) => {
    expect(schemaWith(index).indexes).toEqual([index])
  })
  test.each([
    ['label', 'not a bounded string'],
    ['maybe', 'not a bounded string'],
    ['count', 'not a bounded string'],
    ['perhaps', 'not a required field'],
  ] as const)('%s cannot: %s', (index, why) => {
    expect(() => schemaWith(index)).toThrow(`index ${index}: ${why}`)
  })

  test('nor can a primary key without a bound, or a part of a compound index', () => {
    expect(() => toRxSchema<Row>(record, { version: 0, primaryKey: 'label' })).toThrow('index label')
    expect(() =>
      toRxSchema<Row>(record, { version: 0, primaryKey: 'key', indexes: [['day', 'maybe']] }),
    ).toThrow('index maybe')
  })

  test('nor can a field that is not there', () => {
    expect(() => schemaWith('gone' as keyof Row)).toThrow('index gone: not a required field')
  })
})

test('what is no object cannot be a record', () => {
  expect(() => toRxSchema(type('string[]') as never, { version: 0, primaryKey: 'length' as never })).toThrow(
    'a record must be an object',
  )
})

const everyNode = (node: unknown): Record<string, unknown>[] =>
  node && typeof node === 'object'
    ? [node as Record<string, unknown>, ...Object.values(node).flatMap(everyNode)]
    : []

describe.each(Object.entries(rxSchemas))('the collection %s', (_, schema) => {
  test('[trap 11] has field names that RxDB takes', () => {
    for (const field of Object.keys(schema.properties)) {
      expect(field).toMatch(/^[a-zA-Z][a-zA-Z0-9]*$/)
      expect(['collection', 'deleted', 'update']).not.toContain(field)
    }
  })

  test('has a type beside each list of choices', () => {
    const choices = everyNode(schema.properties).filter(
      (node) => Array.isArray(node['enum']) || 'const' in node,
    )
    expect(choices.filter((node) => !('type' in node))).toEqual([])
  })
})

test('[SV1] what can hold something unsent is flushed to disk', () => {
  const saidByPeople = Object.entries(rxSchemas)
    .filter(([, schema]) => 'savedAt' in schema.properties)
    .map(([name]) => name)
  expect(saidByPeople).toEqual(expect.arrayContaining(['changes', 'photos']))
  expect(durableCollections).toEqual(expect.arrayContaining([...saidByPeople, 'own']))
})
