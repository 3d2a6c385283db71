import { useLingui } from '@lingui/react/macro'
import { useRouter } from '@tanstack/react-router'
import { useId } from 'react'
import { RegistrationStatus } from '#schemas/codes.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { useOffered } from '#data/context/use-offline-policy.ts'
import { Pad } from '#ui/layout/layout.tsx'
import { LinkList, StatusAnchor, StatusRow } from '#ui/controls/links.tsx'
import { isPlainClick } from '#ui/base/press-guard.ts'

/** The link 次の担当者へ to the form 現場メモ. It asks nothing about unsaved input, because the draft of the report stays. */
export function NextPerson({ request }: { request: RequestRecord }) {
  const { t } = useLingui()
  const { history } = useRouter()
  const offered = useOffered('noteLocationArea', 'add')
  const reasonId = useId()
  if (request.noteLocationAreaStatus === RegistrationStatus.code.notAllowed) return null
  const path = `/noteLocationArea/add/${encodeURIComponent(request.id)}`
  const name = t`次の担当者へ`
  const note = t`現場メモを書きます。この現場に入るすべての会社に表示されます`
  return (
    <>
      <LinkList>
        <li>
          {offered ? (
            <StatusAnchor
              href={path}
              name={name}
              note={note}
              status="todo"
              word={t`書く`}
              onClick={(event) => {
                if (!isPlainClick(event)) return
                event.preventDefault()
                // A second tap must not open the form twice.
                if (history.location.href !== path) history.push(path, undefined, { ignoreBlocker: true })
              }}
            />
          ) : (
            <StatusRow name={name} note={note} status="todo" word={t`書く`} closedBy={reasonId} />
          )}
        </li>
      </LinkList>
      {!offered && (
        <Pad>
          <p id={reasonId}>{t`現場メモは電波の届く場所で登録できます`}</p>
        </Pad>
      )}
    </>
  )
}
