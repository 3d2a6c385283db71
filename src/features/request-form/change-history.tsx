/** 変更の記録: other people's changes to a record, and the values that this device's edits have replaced (sync RULES MG5). */
import { useLingui } from '@lingui/react/macro'
import { useRouter } from '@tanstack/react-router'
import { Info, RotateCcw } from 'lucide-react'
import { Fragment, use, useId } from 'react'
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
import { changedIn } from '#form/typed-values.ts'
import { monthDayTimeText, toTokyoIso } from '#lib/time/tokyo-time.ts'
import { Button } from '#ui/controls/button.tsx'
import { Def, Defs, DefsHead } from '#ui/layout/defs.tsx'
import { Pad } from '#ui/layout/layout.tsx'
import { Mark } from '#ui/feedback/mark.tsx'
import { pushOnce } from '#ui/controls/path-link.tsx'
import { SectionHead } from '#ui/layout/section.tsx'

/** The form in which the user can restore a replaced value. It opens with the value as if the user had typed it. */
interface RestoreTarget {
  draftKey: string
  /** URL path of the edit form. */
  path: string
  /** Returns the form's values after setting these fields. */
  valuesOf(fields: Record<string, FieldValue>): object
}

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
  /** URL path of the edit form; null if the record cannot be edited. */
  editPath: string | null
}

/** Nothing is rendered if no value was replaced. */
export function ChangeHistory<D extends Declaration>(props: ChangeHistoryProps<D>) {
  const { declaration, record, now, labels, editPath } = props
  const { textOf = (field, value) => fieldText(declaration, field, value, record.server) } = props
  const { t } = useLingui()
  const id = useId()
  const revisions = revisionsOf(record.history)
  const target = editPath !== null && {
    draftKey: `${declaration.slug}/edit/${record.key}`,
    path: editPath,
    valuesOf: (fields: object) => inputOf(declaration, { ...now, ...fields }),
  }
  if (revisions.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <SectionHead
        id={id}
        right={
          currentEdits(record.history, now).length > 0 && <Mark icon={Info} tone="warn">{t`他社が変更`}</Mark>
        }
        note={t`変更した人の名前はCRMから届きません。時刻は、この端末が変更を知った時刻です。`}
        noteIcon={Info}
      >{t`変更の記録`}</SectionHead>
      {revisions.map((revision) => (
        <Fragment key={`${revision.kind} ${revision.stamp}`}>
          <RevisionRows revision={revision} labels={labels} textOf={textOf} />
          {target && canRestore(revision, target) && <RestoreButton revision={revision} target={target} />}
        </Fragment>
      ))}
    </section>
  )
}

interface RowsProps {
  revision: Revision
  labels: Readonly<Record<string, string>>
  textOf: (field: string, value: FieldValue) => string
}

function RevisionRows({ revision: { kind, stamp, fields }, labels, textOf }: RowsProps) {
  const { t } = useLingui()
  const time = monthDayTimeText(toTokyoIso(stampMs(stamp)), useToday())
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
const canRestore = ({ kind, fields }: Revision, { valuesOf }: RestoreTarget) =>
  kind === 'others' &&
  fields.some(({ field, before }) => field in valuesOf({}) && !isSameContent(before, null))

/** The button that opens the edit form with the values that the revision replaced. */
function RestoreButton({ revision, target }: { revision: Revision; target: RestoreTarget }) {
  const { t } = useLingui()
  const { history } = useRouter()
  const drafts = use(FormDraftsContext)
  const before = Object.fromEntries(revision.fields.map(({ field, before: value }) => [field, value]))
  const open = async () => {
    const stored = await drafts?.read(target.draftKey)
    const typed = typeof stored?.values === 'object' ? stored.values : null
    const restored = Object.entries(target.valuesOf(before)).filter(([name]) => name in before)
    const now = target.valuesOf({})
    // Fields that are neither restored nor typed keep the record's values, so they do not overwrite later changes by
    // others (MG2).
    const changed = changedIn({ ...now, ...typed, ...Object.fromEntries(restored) }, now)
    await drafts?.keep(target.draftKey, changed)
    pushOnce(history, target.path)
  }
  return (
    <Pad>
      <Button icon={RotateCcw} onClick={() => void open()}>{t`変更前の内容をフォームに戻す`}</Button>
    </Pad>
  )
}

interface Changed {
  field: string
  before: FieldValue
  /** The new value; null if it is empty or was set on this device. */
  after: FieldValue
}

interface Revision {
  /** `others`: other people changed the record. `here`: an edit on this device replaced other people's values. */
  kind: 'others' | 'here'
  stamp: string
  fields: Changed[]
}

/**
 * Returns the history as revisions, newest first. Changes with an equal stamp were made by one save and form one
 * revision.
 */
function revisionsOf(history: readonly ReplacedValue[] = []): Revision[] {
  const others = othersEdits(history).map((edit) => ({ kind: 'others' as const, ...edit }))
  const replaced = replacedHere(history).map(({ field, value, stamp }) => ({
    kind: 'here' as const,
    field,
    before: value,
    after: null,
    stamp,
  }))
  const revisions = new Map<string, Revision>()
  for (const { kind, stamp, ...changed } of [...others, ...replaced]) {
    const id = `${stamp} ${kind}`
    const revision = revisions.get(id) ?? { kind, stamp, fields: [] }
    revisions.set(id, { ...revision, fields: [...revision.fields, changed] })
  }
  return [...revisions.values()].toSorted((a, b) => (a.stamp > b.stamp ? -1 : 1))
}

/** Returns the time of a stamp in epoch ms (`lib/time/stamp.ts`). */
const stampMs = (stamp: string): number => Number.parseInt(stamp, 10) || 0
