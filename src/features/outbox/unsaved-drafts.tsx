import { useLingui } from '@lingui/react/macro'
import { Trash2 } from 'lucide-react'
import { useLiveQuery } from '#data/context/app-context.tsx'
import { typedForms$ } from '#data/drafts/draft-list.ts'
import { useToday, useWallMinute } from '#data/context/use-now.ts'
import { jobName } from '#features/request-form/job-name.ts'
import { shortStampText } from '#lib/time/tokyo-time.ts'
import { Button } from '#ui/controls/button.tsx'
import { LinkList, RowEnd, PathStatus } from '#ui/controls/links.tsx'
import { Pad } from '#ui/layout/layout.tsx'
import { Section } from '#ui/layout/section.tsx'
import styles from './unsaved-drafts.module.css'
import type { JobRequests } from './outbox-job.tsx'
import { useDiscardAtOnce } from './use-discard-at-once.ts'
import { declared } from '#schemas/collections/declared.ts'
import type { Field } from '#schemas/declare/declare.ts'
import type { PushCollection } from '#schemas/collections/push-collections.ts'
import { isBlank } from '#schemas/text.ts'

/** The section 入力途中: forms with unsaved input, each with the time when the input is deleted. */
export function UnsavedDrafts({ requests }: { requests: JobRequests }) {
  const { t, i18n } = useLingui()
  const today = useToday()
  const now = useWallMinute()
  const discard = useDiscardAtOnce()
  const forms = useLiveQuery('kept forms', typedForms$) ?? []
  if (forms.length === 0) return null
  return (
    <Section heading={t`入力途中`}>
      <Pad>{t`まだ保存していない内容です。最後の入力から24時間で、写真とともに端末から消えます。`}</Pad>
      <LinkList>
        {forms.map(({ key, values, keptUntil, form }) => {
          const name = jobName(i18n, form, form.requests.length)
          const until = shortStampText(keptUntil, today)
          // A time in the past means that the clock was changed. The time is then hidden (sync RULES EX3).
          const isKnown = Date.parse(keptUntil) > now
          const note = [requests.get(form.requests[0] ?? '')?.requestCode, isKnown && t`${until} まで`]
            .filter(Boolean)
            .join('・')
          return (
            <li key={key}>
              <PathStatus path={form.path} name={name} note={note} status="draft" word={t`続きを入力`} />
              <TypedTexts texts={typedTexts(form.resource, values)} />
              <RowEnd>
                <Button
                  variant="plain"
                  icon={Trash2}
                  aria-label={t`入力途中の「${name}」を削除`}
                  onClick={() => discard.draft(key, name)}
                >{t`削除`}</Button>
              </RowEnd>
            </li>
          )
        })}
      </LinkList>
    </Section>
  )
}

/** A draft's typed texts, which the user can copy even if the form no longer opens. */
function TypedTexts({ texts }: { texts: readonly string[] }) {
  const { t } = useLingui()
  if (texts.length === 0) return null
  return (
    <details className={styles.typed}>
      <summary>{t`入力した文を見る`}</summary>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </details>
  )
}

/** Returns the texts in a draft, without codes and ticks. @param values JSON; '' if nothing was typed */
function typedTexts(resource: PushCollection, values: string): string[] {
  const typed = values === '' ? {} : (JSON.parse(values) as Record<string, unknown>)
  return Object.entries<Field>(declared[resource].fields).flatMap(([name, { kind }]) => {
    const text = kind === 'text' ? typed[name] : ''
    return typeof text === 'string' && !isBlank(text) ? [text] : []
  })
}
