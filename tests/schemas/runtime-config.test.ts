/** The valid contents of `config.json` (crm-contract 1): each field at both its limits, and no unknown field. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkConfig, CONFIG_FIELDS } from '#schemas/device/runtime-config.ts'

const text = (length: number) => 'a'.repeat(length)
const codes = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [String(at), 'x']))
type Values = [good: unknown[], bad: unknown[]]
const address: Values = [
  [
    '/a',
    '/crm/v1',
    'https://crm.example',
    'https://crm.example:8443/v1',
    'http://localhost:3000',
    `/${text(200)}`,
  ],
  [
    '',
    '/',
    '//crm.example',
    '/a/',
    'https:///a',
    'http://crm.example',
    '/a?b',
    '/a#b',
    '/a b',
    `/${text(201)}`,
    1,
    null,
  ],
]
const segment: Values = [
  ['a', 'a.b-c_1', text(64)],
  ['', 'a/b', 'あ', text(65), 1, null],
]
const length = (most: number): Values => [
  ['a', 'あ', text(most)],
  ['', text(most + 1), 1, null, []],
]

const FIELDS: Readonly<Record<string, Values>> = {
  apiEndpoint: address,
  fileStoreEndpoint: address,
  crmEndpoint: segment,
  securityEndpoint: segment,
  crmId: segment,
  securityKey: length(200),
  fileStoreErrorLogFolder: length(64),
  appName: length(30),
  imageSizeLimit: [
    [1, 2.5, 100],
    [0.99, 100.01, -1, '5', null],
  ],
  codeLabels: [
    [{}, { site: {} }, { hatch: { '1': 'あり' } }, { guide: { [text(8)]: text(50) } }, { site: codes(100) }],
    [
      [],
      null,
      'a',
      { colour: {} },
      { site: [] },
      { site: null },
      { site: { [text(9)]: 'x' } },
      { site: { '': 'x' } },
      { site: { '1': '' } },
      { site: { '1': text(51) } },
      { site: { '1': 1 } },
      { site: codes(101) },
    ],
  ],
  telemetry: [
    [{ endpoint: '/otlp' }, { endpoint: '/otlp', sample: 1 }, { endpoint: '/otlp', sample: 0.01, more: 1 }],
    [
      {},
      [],
      null,
      '/otlp',
      { sample: 1 },
      { endpoint: 'otlp' },
      { endpoint: '/otlp', sample: 0 },
      { endpoint: '/otlp', sample: 1.01 },
      { endpoint: '/otlp', sample: '1' },
      { endpoint: '/otlp', sample: null },
    ],
  ],
  recoveryPublicKey: [
    ['MIIB', 'a+/=\n-', text(2000)],
    ['', 'ä', text(2001), 1, null],
  ],
  minimumVersion: [
    ['1.2.3', '0.0.0', '9999.9999.9999'],
    ['1.2', 'v1.2.3', '1.2.3-a', '10000.0.0', 1, null],
  ],
}
const crm = (more: object = {}) => ({ id: 'east', name: '東', ...more })
const several = (count: number) =>
  Array.from({ length: count }, (_, at) => crm({ id: `c${at}`, name: `N${at}` }))

describe('[crm-contract 1] config.json', () => {
  test('each of its fields has a case here', () => {
    expect([...Object.keys(FIELDS), 'crms'].toSorted()).toEqual([...CONFIG_FIELDS].toSorted())
  })

  for (const [field, [good, bad]] of Object.entries(FIELDS)) {
    test.each(good)(`${field} may be %j`, (value) => {
      expect(checkConfig({ [field]: value })).toEqual({ config: { [field]: value }, unknown: [] })
    })
    test.each(bad)(`${field} may not be %j`, (value) => {
      expect(checkConfig({ [field]: value, appEndpoint: 1 })).toEqual({ config: null, wrong: [field] })
    })
  }

  test.each([
    [[crm()]],
    [several(8)],
    [[crm({ apiEndpoint: '/east', imageSizeLimit: 3, codeLabels: { site: {} } })]],
  ])('[decisions/config] crms may be %j', (crms) => {
    expect(checkConfig({ crms })).toEqual({ config: { crms }, unknown: [] })
  })

  test.each([
    [[], ['crms']],
    [several(9), ['crms']],
    [null, ['crms']],
    [{ 0: crm() }, ['crms']],
    [[null], ['crms']],
    [[crm(), crm({ name: '西' })], ['crms']],
    [[crm(), crm({ id: 'west' })], ['crms']],
    [[{}], ['crms[0].id', 'crms[0].name']],
    [
      [crm(), { id: 'a b', name: text(31), crmEndpoint: '' }],
      ['crms[1].id', 'crms[1].name', 'crms[1].crmEndpoint'],
    ],
  ])('[decisions/config] crms may not be %j: what is wrong is %j', (crms, wrong) => {
    expect(checkConfig({ crms })).toEqual({ config: null, wrong })
  })

  test('a field that nobody knows is named with its place, and left out of what counts', () => {
    const said = JSON.parse(
      '{"appName":"x","colour":1,"__proto__":{"appName":"y"},"crms":[{"id":"a","name":"b","c":1}]}',
    )
    expect(checkConfig(said)).toEqual({
      config: { appName: 'x', crms: [{ id: 'a', name: 'b', c: 1 }] },
      unknown: ['colour', '__proto__', 'crms[0].c'],
    })
  })

  test('whatever JSON it is, it is a configuration of known fields, or something is named that is wrong', () => {
    const fields = fc.dictionary(fc.constantFrom(...CONFIG_FIELDS, 'id', 'name', 'colour'), fc.jsonValue())
    fc.assert(
      fc.property(fc.oneof(fields, fc.jsonValue()), (said) => {
        const checked = checkConfig(said)
        if (checked.config) expect(CONFIG_FIELDS).toEqual(expect.arrayContaining(Object.keys(checked.config)))
        else expect(checked.wrong).not.toHaveLength(0)
      }),
    )
  })
})
