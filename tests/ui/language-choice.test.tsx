/** 言語 at the login and in 設定: the names of the languages, and the notes about the chosen language. */
import { I18nProvider } from '@lingui/react'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { Language } from '#lib/language.ts'
import { createValueStore } from '#lib/value-store.ts'
import { LanguageChoice } from '#ui/language/language-choice.tsx'
import { i18n } from '../support/i18n.ts'

function open(chosen: Language, isMissing = false) {
  const set = vi.fn<(language: Language) => Promise<void>>(async () => undefined)
  const language = { ...createValueStore(chosen), set, missing: createValueStore(isMissing) }
  render(
    <I18nProvider i18n={i18n}>
      <LanguageChoice language={language} />
    </I18nProvider>,
  )
  return set
}

test('five languages, of which one is chosen', async () => {
  const set = open('ja')
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    '日本語',
    'やさしい日本語',
    'English',
    'Tiếng Việt',
    'Bahasa Indonesia',
  ])
  expect(screen.queryByText('機械翻訳を含みます。')).toBeNull()
  await userEvent.setup().selectOptions(screen.getByLabelText('言語（Language）'), 'vi')
  expect(set).toHaveBeenCalledExactlyOnceWith('vi')
})

test.for<Language>(['ja-x-easy', 'en', 'vi', 'id'])(
  '%s contains machine translation, and says so',
  (language) => {
    open(language)
    expect(screen.getByText('機械翻訳を含みます。')).toBeTruthy()
  },
)

test('a language that is not on the device: Japanese is shown, which is said instead', () => {
  open('vi', true)
  expect(screen.getByText(/^この言語はまだ端末にありません。/)).toBeTruthy()
  expect(screen.queryByText('機械翻訳を含みます。')).toBeNull()
})
