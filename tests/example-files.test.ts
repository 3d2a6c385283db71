/** The files that an operator copies and fills in: the app takes them, and they say the same as each other. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkConfig } from '#schemas/device/runtime-config.ts'

const deployed = (name: string) => readFileSync(resolve(import.meta.dirname, '../deploy', name), 'utf8')

describe('the examples of an operator’s files', () => {
  const config: unknown = JSON.parse(deployed('config.example.json'))
  const several: unknown = JSON.parse(deployed('config.several.json'))
  const env = (line: RegExp) => line.exec(deployed('site.env.example'))?.[1] ?? ''

  test.each([
    ['one CRM', config],
    ['several', several],
  ])('of %s: the app takes every field', (_, example) => {
    expect(checkConfig(example)).toMatchObject({ config: example, unknown: [] })
  })

  test('neither the app nor the host sends figures anywhere', () => {
    for (const example of [config, several]) expect(example).not.toHaveProperty('telemetry')
    expect(deployed('site.env.example')).not.toMatch(/^GENBA_OTLP/m)
  })

  test('the host allows the calls of the app', () => {
    const connect = env(/^# GENBA_CONNECT="([^"]*)"/m).split(' ')
    const called = [...deployed('config.several.json').matchAll(/"(https:\/\/[^/"]+)/g)].map(
      ([, origin]) => origin,
    )
    expect(new Set(called)).toEqual(new Set(connect))
    // what is no other origin is behind this one
    expect(deployed('config.example.json')).not.toContain('https://')
    for (const name of ['apiEndpoint', 'fileStoreEndpoint'])
      expect(deployed('nginx.conf')).toContain(
        `location ^~ /${String(Reflect.get(Object(config), name)).split('/')[1]}/`,
      )
  })
})
