{{/* Labels of an object, for a part such as gateway-api. */}}
{{- define "gateway.labels" -}}
{{ include "gateway.selector" . }}
app.kubernetes.io/part-of: cloud-resource-gateway
{{- end }}

{{/* What selects the pods of one part of one release. Call it with a dict of part and root. */}}
{{- define "gateway.selector" -}}
app.kubernetes.io/name: {{ .part }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- end }}

{{/* Labels of objects that are no part of a process. */}}
{{- define "gateway.common" -}}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/part-of: cloud-resource-gateway
{{- end }}

{{- define "gateway.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end -}}
{{- end }}

{{- define "gateway.name" -}}
{{ dig "gateway" "name" "" .Values.settings | default .Release.Name }}
{{- end }}

{{- define "gateway.region" -}}
{{ dig "identity" "region" "" .Values.settings | default "RegionOne" }}
{{- end }}

{{- define "gateway.host" -}}
{{- $url := dig "public_endpoint" "url" "" .Values.settings | default "" -}}
{{- $host := .Values.route.host | default (regexReplaceAll ":[0-9]+$" (urlParse $url).host "") -}}
{{ required "set route.host, or settings.public_endpoint.url" $host }}
{{- end }}

{{- define "gateway.secretName" -}}
{{ .Values.secrets.existing | default .Release.Name }}
{{- end }}

{{/* In whole seconds. The default is that of the gateway. */}}
{{- define "gateway.shutdownSeconds" -}}
{{ dig "time_limits" "shutdown_seconds" 25 .Values.settings | default 25 | ceil | int }}
{{- end }}

{{/* The settings of this release, which the processes read after those of files/00-base.yaml. */}}
{{- define "gateway.settings" -}}
{{- if not (or (dig "identity" "url" "" .Values.settings) .Values.environment.OS_AUTH_URL) -}}
{{- fail "set settings.identity.url to the URL of the identity service" -}}
{{- end -}}
{{- if or .Values.environment.GATEWAY_NAME .Values.environment.OS_REGION_NAME -}}
{{- fail "set settings.gateway.name and settings.identity.region in place of variables: the monitors need them, too" -}}
{{- end -}}
{{- toYaml (mergeOverwrite (deepCopy .Values.settings) (dict "gateway" (dict "name" (include "gateway.name" .)))) -}}
{{- end }}

{{- define "gateway.secrets" -}}
{{- $secrets := dict -}}
{{- if .Values.redis.enabled -}}
{{- $_ := set $secrets "REDIS_URL" (printf "redis://%s-redis:6379" .Release.Name) -}}
{{- end -}}
{{- range $key, $value := .Values.secrets.values -}}
{{- if $value -}}
{{- $_ := set $secrets $key $value -}}
{{- end -}}
{{- end -}}
{{- $_ := required "set secrets.existing, or secrets.values.GATEWAY_SEALING_KEYS" (.Values.environment.GATEWAY_SEALING_KEYS_FILE | default $secrets.GATEWAY_SEALING_KEYS) -}}
{{- $_ := required "set secrets.values.REDIS_URL, or redis.enabled" (.Values.environment.REDIS_URL_FILE | default $secrets.REDIS_URL) -}}
{{- toYaml $secrets -}}
{{- end }}

{{/*
What restarts the processes when it changes. A Secret or a config map that exists is read where the cluster can
be asked, so a change of it restarts them at the next upgrade.
*/}}
{{- define "gateway.checksums" -}}
checksum/settings: {{ cat (include "gateway.settings" .) (.Files.Get "files/00-base.yaml") (toYaml .Values.environment) (toYaml .Values.authorities) | sha256sum }}
{{- with .Values.authorities.existing }}
{{- with lookup "v1" "ConfigMap" $.Release.Namespace . }}
checksum/authorities: {{ cat (toYaml .data) (toYaml .binaryData) | sha256sum }}
{{- end }}
{{- end }}
{{- if .Values.secrets.existing }}
{{- with lookup "v1" "Secret" .Release.Namespace .Values.secrets.existing }}
checksum/secrets: {{ toYaml .data | sha256sum }}
{{- end }}
{{- else }}
checksum/secrets: {{ include "gateway.secrets" . | sha256sum }}
{{- end }}
{{- end }}

{{/* What api, workers and the Job of a restore have in common: of the pod. */}}
{{- define "gateway.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
volumes:
  - name: config
    configMap:
      name: {{ .Release.Name }}-config
  - name: authorities
    configMap:
      name: {{ .Values.authorities.existing | default (printf "%s-authorities" .Release.Name) }}
      optional: true
  - name: tmp
    emptyDir:
      sizeLimit: 16Mi
  {{- with .Values.listener.secret }}
  - name: listener
    secret:
      secretName: {{ . }}
  {{- end }}
  {{- with .Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* The same, of the container. */}}
{{- define "gateway.container" -}}
image: {{ include "gateway.image" . }}
{{- with .Values.image.pullPolicy }}
imagePullPolicy: {{ . }}
{{- end }}
envFrom:
  - configMapRef:
      name: {{ .Release.Name }}-environment
env:
  {{- range $key := list "GATEWAY_SEALING_KEYS" "REDIS_URL" "GATEWAY_SERVICE_PASSWORD" "REDIS_SENTINEL_PASSWORD" "CACHE_REDIS_URL" "GATEWAY_UPSTREAM_PROXY" "AUDIT_STREAM_TOKEN" "OTEL_EXPORTER_OTLP_HEADERS" }}
  {{- /* The gateway refuses a variable whose file is named, too. */}}
  {{- if not (hasKey $.Values.environment (printf "%s_FILE" $key)) }}
  - name: {{ $key }}
    valueFrom:
      secretKeyRef:
        name: {{ include "gateway.secretName" $ }}
        key: {{ $key }}
        {{- if not (has $key (list "GATEWAY_SEALING_KEYS" "REDIS_URL")) }}
        optional: true
        {{- end }}
  {{- end }}
  {{- end }}
  {{- if .Values.listener.secret }}
  - name: TLS_CERT_FILE
    value: /etc/gateway-listener/tls.crt
  - name: TLS_KEY_FILE
    value: /etc/gateway-listener/tls.key
  {{- end }}
  {{- with .Values.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: config
    mountPath: /etc/gateway
    readOnly: true
  - name: authorities
    mountPath: /etc/gateway-authorities
    readOnly: true
  - name: tmp
    mountPath: /tmp
  {{- if .Values.listener.secret }}
  - name: listener
    mountPath: /etc/gateway-listener
    readOnly: true
  {{- end }}
  {{- with .Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* What a probe asks. Call it with a dict of root, path and port. */}}
{{- define "gateway.probe" -}}
httpGet:
  path: {{ .path }}
  port: {{ .port }}
  {{- if .root.Values.listener.secret }}
  scheme: HTTPS
  {{- end }}
{{- end }}

{{/* Where pods run. Call it with a dict of part, root and values of the part. */}}
{{- define "gateway.placement" -}}
topologySpreadConstraints:
  {{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - topologyKey: {{ $key }}
    maxSkew: 1
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "gateway.selector" $ | nindent 8 }}
    matchLabelKeys: [pod-template-hash]
  {{- end }}
{{- with .values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end }}
