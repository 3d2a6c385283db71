import { useLingui } from '@lingui/react/macro'
import { Search } from 'lucide-react'
import { OrderFlagName } from '#schemas/codes.ts'
import type { RequestFilter } from '#schemas/device/interest.ts'
import { visibleLine } from '#schemas/text.ts'
import { toHalfAscii } from '#form/half-width.ts'
import { isIsoDate } from '#lib/time/tokyo-time.ts'
import { useDraftForm } from '#form/use-draft-form.ts'
import { Button } from '#ui/controls/button.tsx'
import { ChoiceBox } from '#ui/controls/choice.tsx'
import { Two } from '#ui/layout/layout.tsx'
import { SheetForm } from '#form/form-parts.tsx'

interface FilterSheetProps {
  filter: RequestFilter
  usual: RequestFilter
  onSearch: (filter: RequestFilter) => void
  onClear: () => void
  onClose: () => void
}

/** The sheet 検索条件 with all search conditions. */
export function FilterSheet({ filter, usual, onSearch, onClear, onClose }: FilterSheetProps) {
  const { t } = useLingui()
  const form = useFilterForm(filter, onSearch)
  const clear = () => {
    form.reset(usual)
    onClear()
  }
  return (
    <form.AppForm>
      <SheetForm
        heading={t`検索条件`}
        onClose={onClose}
        footer={
          <>
            <Button tall narrow onClick={clear}>{t`条件をクリア`}</Button>
            <form.SubmitButton icon={Search}>{t`検索`}</form.SubmitButton>
          </>
        }
      >
        <FilterFields form={form} />
      </SheetForm>
    </form.AppForm>
  )
}

const useFilterForm = (defaultValues: RequestFilter, onSubmit: (filter: RequestFilter) => void) =>
  // No ArkType schema, because loading ArkType would block the page shortly after each start.
  useDraftForm({ defaultValues, onSubmit })

function FilterFields({ form }: { form: ReturnType<typeof useFilterForm> }) {
  const { t } = useLingui()
  const days = useDayRules()
  return (
    <>
      <Two>
        <form.AppField name="from" validators={days.from}>
          {(field) => <field.DateField label={t`作業日（開始）`} />}
        </form.AppField>
        <form.AppField name="to" validators={days.to}>
          {(field) => <field.DateField label={t`作業日（終了）`} />}
        </form.AppField>
      </Two>
      <form.AppField name="requestCode">
        {(field) => (
          <field.TextField
            num
            autoCapitalize="characters"
            enterKeyHint="search"
            convert={toHalfAscii}
            label={t`依頼番号`}
            help={t`先頭の何文字かでも、作業日に関係なく探せます`}
          />
        )}
      </form.AppField>
      <form.AppField name="locationName">
        {(field) => <field.TextField label={t`作業場所`} convert={visibleLine} enterKeyHint="search" />}
      </form.AppField>
      <form.AppField name="customerName">
        {(field) => <field.TextField label={t`契約先`} convert={visibleLine} enterKeyHint="search" />}
      </form.AppField>
      <form.AppField name="orderFlags">
        {(field) => <field.CheckboxesField label={t`種別`} cols={3} options={OrderFlagName.options} />}
      </form.AppField>
      <form.AppField name="emergencyOnly">
        {(field) => (
          <ChoiceBox
            type="checkbox"
            label={t`緊出のみ`}
            checked={field.state.value}
            onChange={field.handleChange}
          />
        )}
      </form.AppField>
    </>
  )
}

interface RuleInput {
  value: string
  fieldApi: { form: { state: { values: RequestFilter } } }
}

/** The rules of 作業日: years have four digits, which some browsers do not enforce, and 開始 is not after 終了. */
function useDayRules() {
  const { t } = useLingui()
  const notADay = (value: string) =>
    value === '' || isIsoDate(value) ? undefined : t`年は西暦の4桁で入力してください`
  return {
    from: { onDynamic: ({ value }: RuleInput) => notADay(value) },
    to: {
      onChangeListenTo: ['from' as const],
      onDynamic: ({ value, fieldApi }: RuleInput) =>
        notADay(value) ??
        (value !== '' && fieldApi.form.state.values.from > value
          ? t`作業日（終了）には作業日（開始）以降の日を指定してください`
          : undefined),
    },
  }
}
