/** The texts go without lingui's own compiler: what it would make of them is made here. */
import { readFileSync } from 'node:fs'
import { setupI18n } from '@lingui/core'
import { expect, test } from 'vitest'
import { compileText } from '#lib/message-compiler.ts'

const texts = readFileSync('src/locales/ja.po', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('msgstr "'))
  .map((line): string => JSON.parse(line.slice('msgstr '.length)))
  .filter((text) => text !== '')

const values = Object.fromEntries(
  texts.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, `<${name}>`])),
)

test('every text of the catalogue is what lingui makes of it', () => {
  const [theirs, ours] = [0, 1].map(() => setupI18n({ locale: 'ja', messages: { ja: {} } }))
  ours?.setMessagesCompiler(compileText)
  expect(texts.length).toBeGreaterThan(500)
  const said = texts.map((message) => ours?._({ id: message, message, values }))
  expect(said).toEqual(texts.map((message) => theirs?._({ id: message, message, values })))
  expect(said.filter((text) => /[{}]/.test(text ?? ''))).toEqual([])
})

test('names are filled in, a text without any stands as it is', () => {
  const i18n = setupI18n({ locale: 'ja', messages: { ja: {} } })
  i18n.setMessagesCompiler(compileText)
  const say = (message: string, given = {}) => i18n._({ id: message, message, values: given })
  expect(say('{saved} 保存・{sent} 送信', { saved: '9:00', sent: '9:05' })).toBe('9:00 保存・9:05 送信')
  expect(say('待機')).toBe('待機')
})
