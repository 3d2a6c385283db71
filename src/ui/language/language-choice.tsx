import { useLingui } from '@lingui/react/macro'
import { useSyncExternalStore } from 'react'
import { isLanguage, type Language, LANGUAGES, SOURCE_LANGUAGE } from '#lib/language.ts'
import type { ValueStore } from '#lib/value-store.ts'
import { LabelledField } from '#ui/controls/field.tsx'
import { Select } from '#ui/controls/input.tsx'

interface LanguageChoiceProps {
  /** `missing` is true if the chosen language's texts are not on the device. */
  language: ValueStore<Language> & { set(language: Language): Promise<void>; missing: ValueStore<boolean> }
}

/** 言語: each option in its own language; all except Japanese are marked as machine-translated. */
export function LanguageChoice({ language }: LanguageChoiceProps) {
  const { t } = useLingui()
  const value = useSyncExternalStore(language.subscribe, language.get)
  const isMissing = useSyncExternalStore(language.missing.subscribe, language.missing.get)
  const error = isMissing
    ? t`この言語はまだ端末にありません。電波の届く場所で表示します。それまでは日本語です。`
    : undefined
  return (
    <LabelledField
      label={t`言語（Language）`}
      help={value === SOURCE_LANGUAGE || isMissing ? undefined : t`機械翻訳を含みます。`}
      error={error}
    >
      <Select
        value={value}
        onChange={({ currentTarget }) => {
          if (isLanguage(currentTarget.value)) void language.set(currentTarget.value)
        }}
      >
        {Object.entries(LANGUAGES).map(([code, { html, name }]) => (
          <option key={code} value={code} lang={html}>
            {name}
          </option>
        ))}
      </Select>
    </LabelledField>
  )
}
