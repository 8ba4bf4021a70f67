import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { reportCommentLimit, reportReasons, type ReportReason } from '../../../shared/moderation.ts'
import { useSite } from '../../api/site.tsx'
import { RadioGroup, TextArea } from '../../ui/form.tsx'
import { reasonLabels } from '../../ui/post-options.ts'
import { RulesLink } from '../../ui/site-links.tsx'
import { FormDialog } from '../auth/call-form.tsx'

/** Asks for a reason, then reports something to the administrators. @param props.children shows what is reported */
export function ReportDialog(props: {
  title: string
  report: (reason: ReportReason, comment: string) => Promise<unknown>
  onClosed?: (() => void) | undefined
  children?: ReactNode
}) {
  const { i18n, t } = useLingui()
  const { hasRules } = useSite()
  return (
    <FormDialog
      title={props.title}
      description={
        <>
          {t`Your report goes to the administrators of this site, without your name.`}{' '}
          {hasRules && (
            <Trans>
              See the <RulesLink>rules of this site</RulesLink>.
            </Trans>
          )}
        </>
      }
      submit={t`Send report`}
      busy={t`Sending…`}
      outcome={t`Thank you. The administrators will review your report.`}
      failed={t`The report could not be sent. Try again in a moment.`}
      call={async (text) => {
        const reason = reportReasons.find((one) => one === text('reason'))
        if (reason) await props.report(reason, text('comment'))
      }}
      onClosed={props.onClosed}
    >
      {props.children}
      <RadioGroup
        legend={t`What is wrong with it?`}
        name="reason"
        isCompact
        check={(reason) => reason === '' && t`Please choose a reason.`}
        options={reportReasons.map((value) => ({ value, label: i18n._(reasonLabels[value]) }))}
      />
      <TextArea
        label={t`Anything to add (optional)`}
        name="comment"
        maxLength={reportCommentLimit.codeUnits}
      />
    </FormDialog>
  )
}
