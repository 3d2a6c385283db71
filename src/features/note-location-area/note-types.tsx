import { useLingui } from '@lingui/react/macro'
import { NoteType } from '#schemas/codes.ts'
import { ButtonLink } from '#ui/controls/button.tsx'
import { PairBar } from '#ui/layout/layout.tsx'
import type { NoteView } from './note-view.ts'

/** Tabs 依頼 / 現場 for the two lists of a place. Shown only if the other list has notes. */
export function NoteTypes({ shown, notes }: { shown: string; notes: readonly NoteView[] }) {
  const { t } = useLingui()
  if (notes.every(({ type }) => type === shown)) return null
  return (
    <nav aria-label={t`メモの種類`}>
      <PairBar>
        {NoteType.options.map(({ code, label }) => {
          const count = notes.filter(({ type }) => type === code).length
          const isShown = code === shown
          return (
            <ButtonLink
              key={code}
              to="."
              search={(before) => ({ ...before, type: code })}
              replace
              current={isShown ? 'page' : undefined}
            >
              {t`${label}（${count}）`}
            </ButtonLink>
          )
        })}
      </PairBar>
    </nav>
  )
}
