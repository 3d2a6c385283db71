import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import { type CrmState, useServices, useValue } from '#data/context/app-context.tsx'
import { waitingElsewhere } from '#data/context/other-crms.ts'
import { Button } from '#ui/controls/button.tsx'
import { Pad } from '#ui/layout/layout.tsx'
import { SectionHead } from '#ui/layout/section.tsx'

/** Unsent changes of CRMs that are not on screen, one group per CRM (sync RULES SV5). */
export function OtherCrms() {
  const { crms } = useServices()
  return waitingElsewhere(useValue(crms)).map((crm) => <OtherCrm key={crm.scope} crm={crm} />)
}

function OtherCrm({ crm }: { crm: CrmState }) {
  const { t, i18n } = useLingui()
  const { crms } = useServices()
  const id = useId()
  const { scope, name, unsent, session } = crm
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id}>{t`${name}：未送信 ${unsent}件`}</SectionHead>
      <Pad>
        <p>{stateText(i18n, crm)}</p>
      </Pad>
      {session !== 'removed' && (
        <Pad>
          <Button tall wide onClick={() => crms.choose(scope)}>{t`「${name}」に切り替える`}</Button>
        </Pad>
      )}
    </section>
  )
}

function stateText(i18n: I18n, { session, failed }: CrmState): string {
  switch (session) {
    case 'removed':
      return i18n._(
        msg`接続先の一覧から外れているため、送信できません。内容は端末に残っています。アプリの管理者に連絡してください。`,
      )
    case 'signed-out':
      return i18n._(msg`内容は端末に残っています。切り替えてログインすると送信します。`)
    case 'locked':
      return i18n._(msg`画面のロックがかかっています。切り替えて開くと送信します。`)
    case 'timed-out':
      return i18n._(msg`ログインの有効期限が切れています。切り替えてログインすると送信します。`)
    case 'closed':
      return i18n._(
        msg`端末の内容を開けないため、送信できません。切り替えて、表示される案内に従ってください。`,
      )
    case 'open':
      return failed
        ? i18n._(msg`送信できなかったものがあります。切り替えて「再送」か「破棄」を選んでください。`)
        : i18n._(msg`切り替えなくても、自動で送信します。`)
  }
}
