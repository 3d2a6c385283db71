/** 変更の記録: other people's changes to a record, and the values that this device's edits have replaced (sync RULES MG5). */
import { useLingui } from '@lingui/react/macro'
import { useRouter } from '@tanstack/react-router'
import { Info, RotateCcw } from 'lucide-react'
import { Fragment, use } from 'react'
import type { ReplacedValue } from '#schemas/change.ts'
import {
  type FieldValue,
  isSameContent,
  othersEdits,
  replacedHere,
  currentEdits,
} from '#schemas/change-history.ts'
import type { ContentOf, Declaration, EditedField } from '#schemas/declare/declare.ts'
import { inputOf } from '#schemas/declare/form-values.ts'
import { fieldText } from '#data/resources/field-text.ts'
import { useToday } from '#data/context/use-now.ts'
import { FormDraftsContext } from '#form/form-drafts.ts'
import { changedIn } from '#form/form-autosave.ts'
import { monthDayTimeText, toTokyoIso } from '#lib/time/tokyo-time.ts'
import { Button } from '#ui/controls/button.tsx'
import { Def, Defs, DefsHead } from '#ui/layout/defs.tsx'
import { Pad } from '#ui/layout/layout.tsx'
import { Mark } from '#ui/feedback/mark.tsx'
import { pushOnce } from '#ui/controls/path-link.tsx'
import { Section } from '#ui/layout/section.tsx'

interface ChangeHistoryProps<D extends Declaration> {
  declaration: D
  record: {
    key: string
    history?: readonly ReplacedValue[] | undefined
    /** The record as last received from the CRM. It contains the names of its codes. */
    server?: object | undefined
  }
  now: Partial<ContentOf<D>>
  /** A label for every field that other people can change. */
  labels: Readonly<Record<EditedField<D>, string>>
  /** Returns a value as text, for fields without code labels; '' for an empty value. */
  textOf?: (field: string, value: FieldValue) => string
  editPath: string | null
}

/** Nothing is rendered if no value was replaced. */
export function ChangeHistory<D extends Declaration>(props: ChangeHistoryProps<D>) {
  const { declaration, record, now, labels, editPath } = props
  const { textOf = (field, value) => fieldText(declaration, field, value, record.server) } = props
  const { t } = useLingui()
  const revisions = revisionsOf(record.history)
  if (revisions.length === 0) return null
  const isChanged = currentEdits(record.history, now).length > 0
  const valuesOf = (fields: object): object => inputOf(declaration, { ...now, ...fields })
  const draftKey = `${declaration.slug}/edit/${record.key}`
  return (
    <Section
      heading={t`変更の記録`}
      right={isChanged && <Mark icon={Info} tone="warn">{t`他社が変更`}</Mark>}
      note={t`変更した人の名前はCRMから届きません。時刻は、この端末が変更を知った時刻です。`}
      noteIcon={Info}
    >
      {revisions.map((revision) => (
        <Fragment key={`${revision.kind} ${revision.stamp}`}>
          <RevisionRows revision={revision} labels={labels} textOf={textOf} />
          {editPath !== null && canRestore(revision, valuesOf) && (
            <RestoreButton revision={revision} draftKey={draftKey} editPath={editPath} valuesOf={valuesOf} />
          )}
        </Fragment>
      ))}
    </Section>
  )
}

/** Returns the form's values after setting these fields. */
type ValuesOf = (fields: Record<string, FieldValue>) => object

interface RowsProps {
  revision: Revision
  labels: Readonly<Record<string, string>>
  textOf: (field: string, value: FieldValue) => string
}

function RevisionRows({ revision: { kind, stamp, fields }, labels, textOf }: RowsProps) {
  const { t } = useLingui()
  const time = monthDayTimeText(toTokyoIso(Number.parseInt(stamp, 10) || 0), useToday())
  const textOrNone = (field: string, value: FieldValue) => textOf(field, value) || t`なし`
  return (
    <>
      <DefsHead>
        <span className="num">{time}</span>{' '}
        {kind === 'others' ? t`他社が変更` : t`この端末の保存で置き換えた他社の内容`}
      </DefsHead>
      <Defs wideLabels>
        {fields.map(({ field, before, after }) => (
          <Def key={field} label={labels[field] ?? field} long>
            {kind === 'others' ? (
              <>
                <span>{t`前：${textOrNone(field, before)}`}</span>
                <br />
                <span>{t`後：${textOrNone(field, after)}`}</span>
              </>
            ) : (
              textOrNone(field, before)
            )}
          </Def>
        ))}
      </Defs>
    </>
  )
}

/** True if other people have replaced a value for which the edit form has a field. */
const canRestore = ({ kind, fields }: Revision, valuesOf: ValuesOf) =>
  kind === 'others' &&
  fields.some(({ field, before }) => field in valuesOf({}) && !isSameContent(before, null))

interface RestoreButtonProps {
  revision: Revision
  draftKey: string
  editPath: string
  valuesOf: ValuesOf
}

function RestoreButton({ revision, draftKey, editPath, valuesOf }: RestoreButtonProps) {
  const { t } = useLingui()
  const { history } = useRouter()
  const drafts = use(FormDraftsContext)
  const before = Object.fromEntries(revision.fields.map(({ field, before: value }) => [field, value]))
  const open = async () => {
    const stored = await drafts?.read(draftKey)
    const typed = typeof stored?.values === 'object' ? stored.values : null
    const restored = Object.entries(valuesOf(before)).filter(([name]) => name in before)
    const now = valuesOf({})
    // Other fields keep the record's values, so they do not overwrite later changes by others (MG2).
    await drafts?.keep(draftKey, changedIn({ ...now, ...typed, ...Object.fromEntries(restored) }, now))
    pushOnce(history, editPath)
  }
  return (
    <Pad>
      <Button icon={RotateCcw} onClick={() => void open()}>{t`変更前の内容をフォームに戻す`}</Button>
    </Pad>
  )
}

interface Revision {
  /** `others`: other people changed the record. `here`: an edit on this device replaced other people's values. */
  kind: 'others' | 'here'
  stamp: string
  /** `after` is the new value; null if it is empty or was set on this device. */
  fields: { field: string; before: FieldValue; after: FieldValue }[]
}

/** Returns the history as revisions, newest first. A revision has the changes of one save, which have equal stamps. */
function revisionsOf(history: readonly ReplacedValue[] = []): Revision[] {
  const revisions = new Map<string, Revision>()
  const add = (kind: Revision['kind'], stamp: string, changed: Revision['fields'][number]) => {
    const revision = revisions.get(`${stamp} ${kind}`) ?? { kind, stamp, fields: [] }
    revision.fields.push(changed)
    revisions.set(`${stamp} ${kind}`, revision)
  }
  for (const { stamp, ...changed } of othersEdits(history)) add('others', stamp, changed)
  for (const { stamp, field, value } of replacedHere(history))
    add('here', stamp, { field, before: value, after: null })
  return [...revisions.values()].toSorted((a, b) => (a.stamp > b.stamp ? -1 : 1))
}
