/**
 * What the app runs with: build, `config.json`, what was kept, and the change from one CRM to another
 * (decisions/config).
 */
import { describe, expect, test, vi } from 'vitest'
import type { SettingsParts } from '#app/config/settings.ts'
import { isOlder } from '#app/updates/update.ts'
import { missingIn, settingsOf, type Settings } from '#app/config/env.ts'
import { readConfig } from '#app/config/read-config.ts'
import { CONFIG_FIELDS } from '#schemas/device/runtime-config.ts'
import { i18n } from '../../support/i18n.ts'
import {
  type Answer,
  DEFAULTS,
  device,
  EAST,
  json,
  NO_VALUES,
  OTHER,
  WEST,
  WHOLE,
} from '../../support/settings-device.ts'

const page = () =>
  new Response('<!doctype html><title>Wi-Fi</title>', { headers: { 'content-type': 'application/json' } })

const isPending = (promise: Promise<unknown>) =>
  Promise.race([promise.then(() => false), new Promise<boolean>((done) => setTimeout(done, 0, true))])

describe('[decisions/config] the first start', () => {
  test('the first call waits for config.json, and goes where it says; the next start needs no network', async () => {
    const { state, start } = device({ defaults: NO_VALUES })
    state.answer = json(WHOLE)
    const first = await start()
    expect(await isPending(first.usable)).toBe(true)
    expect(await first.problem()).toBeNull()
    expect(await first.usable).toMatchObject(WHOLE)
    state.answer = 'none'
    const next = await start()
    expect(await next.usable).toMatchObject(WHOLE)
    expect(await next.check()).toBeNull()
  })

  test('without one the build’s values serve; with neither, what is missing is named, and asked for again', async () => {
    const { start } = device()
    const built = await start()
    expect(await built.check()).toBeNull()
    expect(await built.usable).toMatchObject(DEFAULTS)
    const { state, told, start: startBare } = device({ defaults: NO_VALUES })
    const bare = await startBare()
    expect(await bare.problem()).toContain('apiEndpoint')
    expect(told.join()).toContain('VITE_API_ENDPOINT')
    state.answer = json(WHOLE)
    expect(await bare.problem()).toBeNull()
  })

  test('a wrong one stops it, though the build has values: they may be another environment’s', async () => {
    const { state, start } = device()
    state.answer = json({ ...WHOLE, imageSizeLimit: 'large' })
    const settings = await start()
    expect(await settings.problem()).toMatch(/imageSizeLimit が正しくありません。1〜100の数/)
    expect(await isPending(settings.usable)).toBe(true)
  })
})

describe('[decisions/config] a kept config.json', () => {
  const kept = async () => {
    const set = device()
    set.state.answer = json(WHOLE)
    await (await set.start()).check()
    return set
  }

  test.each<[string, Answer]>([
    ['no answer', 'none'],
    ['a gateway’s page that says it is JSON', page],
    ['an error', () => new Response('{}', { status: 502 })],
    ['none', () => new Response('', { status: 404 })],
    ['half of one', () => new Response(JSON.stringify(WHOLE).slice(0, 40))],
    ['a wrong one', json({ ...WHOLE, apiEndpoint: 'http://other.example' })],
    ['one beyond all measure', () => new Response(`{"appName": "a"${' '.repeat(70_000)}}`)],
  ])('stays where %s comes in its place', async (_, answer) => {
    const { state, start } = await kept()
    state.answer = answer
    const settings = await start()
    expect(await settings.check()).toBeNull()
    expect(settings.get()).toMatchObject(WHOLE)
    expect(settings.offer.get()).toBeNull()
    expect((await start()).get()).toMatchObject(WHOLE)
  })

  test('[decisions/speed] an ordinary start writes nothing, so that it does not wait for the disk', async () => {
    const { start } = await kept()
    const store = vi.fn<SettingsParts['store']>(async () => undefined)
    const settings = await start({ store })
    expect(await settings.usable).toMatchObject(WHOLE)
    expect(store).not.toHaveBeenCalled()
  })

  test('other values of the same CRM are offered, and count from the next start', async () => {
    const { state, start, leaveCrm } = await kept()
    state.answer = json({ ...WHOLE, securityKey: 'new' })
    const settings = await start()
    leaveCrm.mockClear()
    await settings.check()
    expect([settings.get().securityKey, settings.offer.get()]).toEqual(['own', 'other-settings'])
    expect((await start()).get().securityKey).toBe('new')
    expect(leaveCrm).not.toHaveBeenCalled()
  })

  test('the same CRM at another address is the same one where both say so', async () => {
    const { state, start, leaveCrm } = device()
    state.answer = json({ ...WHOLE, crmId: 'tokyo' })
    await (await start()).check()
    leaveCrm.mockClear()
    state.answer = json({ ...WHOLE, crmId: 'tokyo', apiEndpoint: 'https://moved.example/api/v1' })
    const settings = await start()
    await settings.check()
    expect(settings.offer.get()).toBe('other-settings')
    expect((await start()).get().apiEndpoint).toBe('https://moved.example/api/v1')
    expect(leaveCrm).not.toHaveBeenCalled()
  })

  test('a minimum version counts at once, and is no reason for a start', async () => {
    const { state, start } = await kept()
    state.answer = json({ ...WHOLE, minimumVersion: '2.0.0' })
    const settings = await start()
    await settings.check()
    expect([settings.minimumVersion.get(), settings.offer.get()]).toEqual(['2.0.0', null])
  })

  test('one that was checked by an earlier version is checked again', async () => {
    const { state, start } = await kept()
    if (state.kept?.config) state.kept.config = { ...state.kept.config, version: '0.9.0', said: {} }
    const settings = await start({ leaveCrm: async () => false })
    await settings.check()
    expect(state.kept?.config).toMatchObject({ version: '1.0.0', said: WHOLE })
  })
})

describe('[decisions/config] another CRM', () => {
  const running: Settings = settingsOf(DEFAULTS, {})
  const installed = () => {
    const set = device()
    set.state.kept = { running, config: null }
    set.state.answer = json(WHOLE)
    return set
  }

  test('is never called by a start that has begun with the first; the next start takes it once the device is clear', async () => {
    const { state, start, leaveCrm } = installed()
    const settings = await start()
    await settings.check()
    expect([settings.get().apiEndpoint, settings.offer.get()]).toEqual(['/api/v1', 'other-crm'])
    leaveCrm.mockResolvedValue(false)
    const held = await start()
    expect([held.get().apiEndpoint, held.offer.get()]).toEqual(['/api/v1', 'held-crm'])
    leaveCrm.mockResolvedValue(true)
    expect((await start()).get()).toMatchObject(WHOLE)
    expect(state.kept?.running).toMatchObject(WHOLE)
  })

  test('is not taken where the device could not note whose data it has from now on', async () => {
    const { start } = installed()
    await (await start()).check()
    const settings = await start({
      store: () => Promise.reject(new DOMException('full', 'QuotaExceededError')),
    })
    expect(settings.get().apiEndpoint).toBe('/api/v1')
  })

  test('of another build is one, too', async () => {
    const { start, leaveCrm } = installed()
    leaveCrm.mockResolvedValue(false)
    const settings = await start({ defaults: { ...DEFAULTS, ...OTHER } })
    expect([settings.get().apiEndpoint, settings.offer.get()]).toEqual(['/api/v1', 'held-crm'])
  })

  test('a first start that finds something of an earlier CRM keeps to it', async () => {
    const { state, start, leaveCrm } = device()
    state.answer = json(WHOLE)
    leaveCrm.mockResolvedValue(false)
    const settings = await start()
    await settings.check()
    expect((await settings.usable).apiEndpoint).toBe('/api/v1')
  })

  test('who is signed in goes on at once, whatever the host says', async () => {
    const { start } = device()
    expect(await isPending((await start({ isSignedIn: true })).usable)).toBe(false)
  })
})

describe('[decisions/config] a wrong field is named', () => {
  test.each<readonly [string, unknown]>([
    ...['http://crm.example/api', '//crm.example', 'crm', '/api/v1/', '/api v1', '', 5].map(
      (value) => ['apiEndpoint', value] as const,
    ),
    ['fileStoreEndpoint', 'javascript:alert(1)'],
    ['crmEndpoint', 'a/b'],
    ['securityEndpoint', ''],
    ['securityKey', 'k'.repeat(201)],
    ['fileStoreErrorLogFolder', null],
    ['imageSizeLimit', '10'],
    ['imageSizeLimit', 0],
    ['appName', 'あ'.repeat(31)],
    ['codeLabels', { depth: { 1: '浅い' } }],
    ['codeLabels', { site: { 123456789: '機械室' } }],
    ['codeLabels', { site: { 1: '' } }],
    ['crmId', 'a b'],
    ['crms', []],
    ['crms', [EAST, { ...WEST, id: 'east' }]],
    ['crms', [EAST, { ...WEST, name: '東設備' }]],
    ['crms', Array.from({ length: 9 }, (_, at) => ({ id: `c${at}`, name: `${at}` }))],
    ['crms', EAST],
    ['minimumVersion', '1.2'],
  ])('%s: %j', async (field, value) => {
    const fetch = async () => Response.json({ [field]: value })
    const { kind, problems } = await readConfig({ fetch, known: null, version: '1.0.0', i18n })
    expect([kind, problems.length]).toEqual(['refused', 1])
    expect(problems[0]).toMatch(new RegExp(`^設定 config.json の ${field} が正しくありません。.*ください。$`))
  })

  test.each<readonly [string, object]>([
    ['crms[1].id', { ...WEST, id: 'a b' }],
    ['crms[1].name', { id: 'west' }],
    ['crms[1].name', { ...WEST, name: '' }],
    ['crms[1].apiEndpoint', { ...WEST, apiEndpoint: 'http://west.example' }],
    ['crms[1].crmEndpoint', { ...WEST, crmEndpoint: 'a/b' }],
    ['crms[1].imageSizeLimit', { ...WEST, imageSizeLimit: '10' }],
  ])('[decisions/config] of one of several CRMs, with its place: %s', async (field, second) => {
    const fetch = async () => Response.json({ crms: [EAST, second] })
    const { kind, problems } = await readConfig({ fetch, known: null, version: '1.0.0', i18n })
    expect([kind, problems.length]).toEqual(['refused', 1])
    expect(problems[0]).toContain(`設定 config.json の ${field} が正しくありません。`)
  })

  test('[decisions/config] a field of one of several that nobody knows is said with its place', async () => {
    const fetch = async () => Response.json({ crms: [EAST, { ...WEST, colour: 'green' }] })
    const answer = await readConfig({ fetch, known: null, version: '1', i18n })
    expect([answer.kind, answer.problems.join()]).toEqual([
      'read',
      expect.stringContaining('「crms[1].colour」'),
    ])
  })

  test('all of them at once; and what is no table is said to be none', async () => {
    const wrong = Object.fromEntries(CONFIG_FIELDS.map((field) => [field, []]))
    const answer = await readConfig({
      fetch: async () => Response.json(wrong),
      known: null,
      version: '1',
      i18n,
    })
    for (const field of CONFIG_FIELDS)
      expect(answer.problems.filter((line) => line.includes(` ${field} `))).toHaveLength(1)
    const list = await readConfig({ fetch: async () => Response.json([]), known: null, version: '1', i18n })
    expect(list).toMatchObject({ kind: 'refused' })
  })

  test('one that this version does not know is said, and the others count', async () => {
    const fetch = async () => Response.json({ ...WHOLE, colour: 'green' })
    const answer = await readConfig({ fetch, known: null, version: '1', i18n })
    expect(answer).toMatchObject({ kind: 'read', config: { said: WHOLE } })
    expect(answer.problems.join()).toContain('「colour」')
  })

  test('a missing one by both its names', () => {
    expect(missingIn(settingsOf(DEFAULTS, {}))).toEqual([])
    for (const [name, variable] of [
      ['apiEndpoint', 'VITE_API_ENDPOINT'],
      ['securityKey', 'VITE_SECURITY_KEY'],
      ['fileStoreErrorLogFolder', 'VITE_FILE_STORE_ERROR_LOG_FOLDER'],
    ] as const)
      expect(missingIn(settingsOf({ ...DEFAULTS, [name]: '' }, {})).join()).toMatch(
        new RegExp(`${name}.*${variable}`),
      )
  })
})

test.each([
  ['0.9.9', '1.0.0', true],
  ['1.9.0', '1.10.0', true],
  ['1.0.0', '1.0.0', false],
  ['1.0.1', '1.0.0', false],
  ['2.0.0', '1.9.9', false],
  ['1.0.0', '', false],
])('[decisions/config] %s is older than %j: %s', (version, minimum, older) =>
  expect(isOlder(version, minimum)).toBe(older),
)
