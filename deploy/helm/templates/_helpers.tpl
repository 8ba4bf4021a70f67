{{- define "rangoli.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "rangoli.claim" -}}
{{ .Values.persistence.existingClaim | default .Release.Name }}
{{- end }}
