/** The detail screen of a change request: its content, 編集 and 変更の記録. */
import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { FieldValue } from '#schemas/change-history.ts'
import { fieldText } from '#data/resources/field-text.ts'
import type { ContentOf, Declaration, EditedField } from '#schemas/declare/declare.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { ChangeCollection, ChangeRequest } from '#data/resources/change-requests.ts'
import type { FormSlug } from '#data/changes/offline-policy.ts'
import { useLeaveForm } from '#data/context/use-leave-form.ts'
import { useOffered } from '#data/context/use-offline-policy.ts'
import { BackButton } from '#ui/layout/app-bar.tsx'
import { Def, Defs } from '#ui/layout/defs.tsx'
import { Narrow } from '#ui/layout/desk.tsx'
import { ChangeHistory } from './change-history.tsx'
import { EditBar, UnsentDef } from './edit-bar.tsx'
import { RequestFormFrame } from './request-form-frame.tsx'

interface ChangeRequestViewProps<D extends Declaration & { slug: FormSlug }> {
  title: string
  declaration: D
  change: Pick<ChangeRequest<ChangeCollection>, 'record' | 'lockedByCrm' | 'unsent'> & {
    content: Partial<ContentOf<D>> | null
  }
  request: RequestRecord | null
  labels: Readonly<Record<EditedField<D>, string>>
  /** What the row of a field has at its right, for example 電話. */
  action?: (name: string, text: string) => ReactNode
  edit: ReactNode
  editPath: string
}

export function ChangeRequestView<D extends Declaration & { slug: FormSlug }>(
  props: ChangeRequestViewProps<D>,
) {
  const { title, declaration, change, request, labels, action, edit, editPath } = props
  const { record, content, lockedByCrm, unsent } = change
  const { slug } = declaration
  const { t } = useLingui()
  const offered = useOffered(slug, 'edit')
  const leave = useLeaveForm()
  return (
    <RequestFormFrame
      title={title}
      back={<BackButton onClick={() => void leave(record.requestId)} />}
      request={request}
      footer={
        <EditBar slug={slug} locked={lockedByCrm}>
          {edit}
        </EditBar>
      }
    >
      <Narrow>
        <Defs>
          <UnsentDef state={unsent} />
          {Object.entries<string>(labels).map(([name, label]) => {
            const value: FieldValue = Reflect.get(content ?? {}, name)
            const text = fieldText(declaration, name, value, record.server)
            const isLong = declaration.fields[name]?.kind === 'text'
            return (
              <Def key={name} label={label} long={isLong} action={action?.(name, text)}>
                {text || t`なし`}
              </Def>
            )
          })}
        </Defs>
        <ChangeHistory
          declaration={declaration}
          record={record}
          now={content ?? {}}
          labels={labels}
          editPath={lockedByCrm || !offered ? null : editPath}
        />
      </Narrow>
    </RequestFormFrame>
  )
}
