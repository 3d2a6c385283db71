import { useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import { useLiveQuery } from '#data/app-context.tsx'
import { outboxQuery } from '#data/first-queries.ts'
import type { RequestRecord } from '#schemas/request.ts'
import { jobName } from '#features/request-form/job-name.ts'
import { LinkList } from '#ui/links.tsx'
import { PathStatus } from '#ui/path-row.tsx'
import { SectionHead } from '#ui/section.tsx'

/** Forms about a request with input that is not saved yet, each as a link to it. */
export function DraftLinks({ request: { id, key } }: { request: RequestRecord }) {
  const { t, i18n } = useLingui()
  const headId = useId()
  const drafts = useLiveQuery(outboxQuery.key, outboxQuery.query)?.drafts ?? []
  const own = drafts.filter(({ requests }) => requests.includes(id) || requests.includes(key))
  if (own.length === 0) return null
  return (
    <section aria-labelledby={headId}>
      <SectionHead id={headId}>{t`入力途中`}</SectionHead>
      <LinkList>
        {own.map((form) => (
          <li key={form.path}>
            <PathStatus
              path={form.path}
              name={jobName(i18n, form, form.requests.length)}
              status="draft"
              word={t`続きを入力`}
            />
          </li>
        ))}
      </LinkList>
    </section>
  )
}
