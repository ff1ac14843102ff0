"""Checks rendered Kubernetes objects against each other. .ci/test-kubernetes calls it.

    kubernetes.py validate FILE...  compares the objects with their schemas
    kubernetes.py check FILE...     checks the objects against each other
    kubernetes.py self-test FILE    breaks the objects in many ways, and fails if a check does not notice
    kubernetes.py rules FILE        prints the rule file of the PrometheusRules
"""
import copy, ipaddress, json, re, sys, types
import yaml

# Of the Kubernetes versions on the page, the oldest and the newest.
VERSIONS = ("1.30.0", "1.37.0")

# Secrets that the reader creates: docs/operations/kubernetes.md.
SECRETS = {"waypost": {"DATABASE_URL"}, "waypost-tls": {"tls.crt", "tls.key", "ca.crt"}, "waypost-metrics": {"token"},
           "waypost-ingress-tls": set()}
UNSPACED = {"Namespace"}
PARTS = 4  # services of one process, each of which has 1 s more when WAYPOST_STOP_LIMIT is over


def fits(selector, labels):
    """A selector with matchLabels or with matchExpressions of the operator In, or the plain map of a Service."""
    if "matchExpressions" in selector:
        return all(labels.get(one["key"]) in one["values"] for one in selector["matchExpressions"])
    return all(labels.get(key) == value for key, value in selector.get("matchLabels", selector).items())


class Objects:
    def __init__(self, documents):
        self.all = [document for document in documents if document]
        self.errors = []

    def kind(self, *kinds):
        return [item for item in self.all if item["kind"] in kinds]

    def named(self, kind, name):
        return next((item for item in self.kind(kind) if item["metadata"]["name"] == name), None)

    def expect(self, holds, text):
        if not holds:
            self.errors.append(text)

    def templates(self):
        """The name, the template and the object of each pod."""
        return [(item["metadata"]["name"], item["spec"]["template"], item) for item in self.kind("Deployment", "Job")]

    def pods_with(self, selector):
        return [pod for _, pod, _ in self.templates() if fits(selector, pod["metadata"]["labels"])]

    def settings(self, container):
        """The environment of a container, as the kubelet makes it."""
        found = {}
        for source in container.get("envFrom", []):
            settings = self.named("ConfigMap", source["configMapRef"]["name"])
            found |= settings["data"] if settings else {}
        return found | {entry["name"]: entry["value"] for entry in container.get("env", [])}

    def check(self):
        for item in self.all:
            if item["kind"] not in UNSPACED:
                self.expect(item["metadata"].get("namespace") == "waypost", f"{name_of(item)}: the namespace is not waypost")
        for name, template, item in self.templates():
            self.check_pod(name, template, item)
        images = {box["image"] for _, pod, _ in self.templates() for box in boxes(pod["spec"])}
        self.expect(len(images) == 1, f"containers have different images: {sorted(images)}")
        self.check_selectors()
        self.check_scalers()
        self.check_network()
        return self.errors

    def check_pod(self, name, template, item):
        spec = template["spec"]
        self.expect(spec.get("enableServiceLinks") is False, f"{name}: service links would set unknown WAYPOST_ variables")
        self.expect(spec.get("automountServiceAccountToken") is False, f"{name}: has a token for the Kubernetes API")
        self.check_restricted(name, spec)
        volumes = {volume["name"]: volume for volume in spec.get("volumes", [])}
        for volume in volumes.values():
            secret = volume.get("secret", {}).get("secretName")
            self.expect(secret is None or secret in SECRETS, f"{name}: nobody creates the Secret {secret}")
        for box in boxes(spec):
            where = f"{name}/{box['name']}"
            requests, limits = (box.get("resources", {}).get(part, {}) for part in ("requests", "limits"))
            self.expect({"cpu", "memory"} <= requests.keys(), f"{where}: no requests of cpu and memory")
            self.expect("memory" in limits, f"{where}: no limit of memory")
            programs = {"command"} & box.keys() | {"exec"} & set(re.findall(r"\w+", json.dumps(box)))
            self.expect(not programs, f"{where}: the image has no program except waypost")
            self.expect("cpu" not in limits, f"{where}: a limit of cpu stops a worker in the middle of its slots")
            for source in box.get("envFrom", []):
                map_name = source["configMapRef"]["name"]
                self.expect(self.named("ConfigMap", map_name), f"{where}: there is no ConfigMap {map_name}")
            mounts = {mount["mountPath"]: volumes.get(mount["name"]) for mount in box.get("volumeMounts", [])}
            self.expect(None not in mounts.values(), f"{where}: mounts a volume that the pod does not have")
            for variable, value in self.settings(box).items():
                if value.startswith("/run/"):
                    folder, _, file = value.rpartition("/")
                    secret = (mounts.get(folder) or {}).get("secret", {}).get("secretName")
                    self.expect(file in SECRETS.get(secret, ()), f"{where}: {variable} is {value}, which is in no volume")
        if item["kind"] != "Deployment":
            return
        [main] = spec["containers"]
        where, settings = f"{name}/{main['name']}", self.settings(main)
        ports = {port["name"]: port["containerPort"] for port in main.get("ports", [])}
        listens = settings.get("WAYPOST_WORKER_LISTEN" if main["args"] == ["worker"] else "WAYPOST_LISTEN", "")
        scheme = "HTTPS" if "WAYPOST_TLS_CERTIFICATE" in settings and main["args"] == ["coordinator"] else "HTTP"
        for kind, path in {"startup": "/livez", "liveness": "/livez", "readiness": "/readyz"}.items():
            probe = main.get(f"{kind}Probe", {}).get("httpGet", {})
            self.expect(probe.get("path") == path, f"{where}: the {kind} probe does not read {path}")
            self.expect(listens.endswith(f":{ports.get(probe.get('port'))}"), f"{where}: the {kind} probe reads no port of the program")
            self.expect(probe.get("scheme", "HTTP") == scheme, f"{where}: the {kind} probe does not speak {scheme}")
        stop = int(re.fullmatch(r"(\d+)s", settings.get("WAYPOST_STOP_LIMIT", "25s"))[1])
        pause = main.get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds", 0)
        grace = spec.get("terminationGracePeriodSeconds", 30)
        self.expect(grace > pause + stop + PARTS, f"{where}: {grace} s of grace are too short for {pause} s, {stop} s and {PARTS} s")
        for constraint in spec.get("topologySpreadConstraints", []):
            self.expect(fits(constraint["labelSelector"], template["metadata"]["labels"]), f"{where}: spreads other pods")
        self.expect([box["args"] for box in spec.get("initContainers", [])] == [["migrate", "--check"]],
                    f"{where}: does not wait for the migration")

    def check_restricted(self, name, spec):
        """The rules of https://kubernetes.io/docs/concepts/security/pod-security-standards/, and a read-only root."""
        of_pod = spec.get("securityContext", {})
        for field in ("hostNetwork", "hostPID", "hostIPC"):
            self.expect(not spec.get(field), f"{name}: {field}")
        kinds = {"configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret"}
        for volume in spec.get("volumes", []):
            self.expect(volume.keys() - {"name"} <= kinds, f"{name}: the kind of volume {volume['name']} is not permitted")
        for box in boxes(spec):
            where, own = f"{name}/{box['name']}", box.get("securityContext", {})
            merged = of_pod | own
            self.expect(merged.get("runAsNonRoot") is True and merged.get("runAsUser", 1), f"{where}: may run as root")
            self.expect(merged.get("seccompProfile", {}).get("type") in ("RuntimeDefault", "Localhost"), f"{where}: no seccomp profile")
            self.expect(own.get("allowPrivilegeEscalation") is False, f"{where}: may gain privileges")
            self.expect(own.get("readOnlyRootFilesystem") is True, f"{where}: its root is not read-only")
            self.expect(own.get("capabilities") == {"drop": ["ALL"]}, f"{where}: has capabilities")
            self.expect(not own.get("privileged"), f"{where}: is privileged")
            self.expect(not any(port.get("hostPort") for port in box.get("ports", [])), f"{where}: takes a port of the host")

    def check_selectors(self):
        for item in self.kind("Deployment"):
            labels = item["spec"]["template"]["metadata"]["labels"]
            self.expect(fits(item["spec"]["selector"], labels), f"{name_of(item)}: does not select its pods")
        for item in self.kind("Service", "PodDisruptionBudget", "PodMonitor"):
            pods = self.pods_with(item["spec"]["selector"])
            self.expect(len(pods) == 1, f"{name_of(item)}: selects {len(pods)} kinds of pods")
            ports = {port["name"] for pod in pods for box in pod["spec"]["containers"] for port in box.get("ports", [])}
            for port in item["spec"].get("ports", []) if item["kind"] == "Service" else item["spec"].get("podMetricsEndpoints", []):
                wanted = port.get("targetPort", port.get("port"))
                self.expect(wanted in ports, f"{name_of(item)}: no container has the port {wanted}")
        for item in self.kind("ServiceMonitor"):
            services = [one for one in self.kind("Service") if fits(item["spec"]["selector"], one["metadata"]["labels"])]
            self.expect(len(services) == 1, f"{name_of(item)}: selects {len(services)} services")
            ports = {port["name"] for one in services for port in one["spec"]["ports"]}
            for endpoint in item["spec"]["endpoints"]:
                self.expect(endpoint["port"] in ports, f"{name_of(item)}: no service has the port {endpoint['port']}")
                secret = endpoint["authorization"]["credentials"]
                self.expect(secret["key"] in SECRETS.get(secret["name"], ()), f"{name_of(item)}: nobody creates its Secret")
        for item in self.kind("Ingress"):
            for rule in item["spec"]["rules"]:
                for path in rule["http"]["paths"]:
                    backend = path["backend"]["service"]
                    service = self.named("Service", backend["name"])
                    ports = [port["name"] for port in service["spec"]["ports"]] if service else []
                    self.expect(backend["port"]["name"] in ports, f"{name_of(item)}: there is no service {backend['name']} with its port")
        for item in self.kind("NetworkPolicy"):
            self.expect(self.pods_with(item["spec"]["podSelector"]), f"{name_of(item)}: selects no pod")

    def check_scalers(self):
        for item in self.kind("ScaledObject", "HorizontalPodAutoscaler"):
            target = self.named("Deployment", item["spec"]["scaleTargetRef"]["name"])
            self.expect(target, f"{name_of(item)}: its target does not exist")
            self.expect(not target or "replicas" not in target["spec"], f"{name_of(item)}: the next 'apply' would undo its number of replicas")
            rules = [rule.get("record") for rule in self.rules()]
            self.expect("waypost_workers_wanted" in rules, f"{name_of(item)}: no rule records waypost_workers_wanted")
            text = json.dumps(item)
            self.expect("waypost_workers_wanted" in text, f"{name_of(item)}: does not use waypost_workers_wanted")

    def rules(self):
        return [rule for item in self.kind("PrometheusRule") for group in item["spec"]["groups"] for rule in group["rules"]]

    def check_network(self):
        """What the policies permit, for connections that must or must not be possible."""
        for role, other, protocol, port, wanted in CONNECTIONS:
            found = self.permits("waypost-" + role, other, protocol, port)
            self.expect(found == wanted, f"{role} {other} {protocol} {port} is {'open' if found else 'closed'}")

    def permits(self, name, other, protocol, port):
        """`other` is '> ADDRESS', '> namespace/NAME', or the same with '<' for incoming connections."""
        [pod] = [pod for found, pod, _ in self.templates() if found == name]
        direction, peer = other.split(" ")
        kind, rules_of, peers_of = ("Egress", "egress", "to") if direction == ">" else ("Ingress", "ingress", "from")
        policies = [one["spec"] for one in self.kind("NetworkPolicy")
                    if fits(one["spec"]["podSelector"], pod["metadata"]["labels"]) and kind in one["spec"]["policyTypes"]]
        names = {entry["name"]: entry["containerPort"] for box in pod["spec"]["containers"] for entry in box.get("ports", [])}
        return not policies or any(
            (not rule.get(peers_of) or any(self.is_peer(one, peer) for one in rule[peers_of]))
            and (not rule.get("ports") or any(one["protocol"] == protocol and names.get(one["port"], one["port"]) == port
                                              for one in rule["ports"]))
            for policy in policies for rule in policy.get(rules_of, []))

    def is_peer(self, rule, peer):
        if peer.startswith("namespace/"):
            return fits(rule.get("namespaceSelector", {"never": "yes"}), {"kubernetes.io/metadata.name": peer[10:]})
        block, address = rule.get("ipBlock"), ipaddress.ip_address(peer)
        return bool(block) and address in ipaddress.ip_network(block["cidr"]) and not any(
            address in ipaddress.ip_network(one) for one in block.get("except", []))


CONNECTIONS = [
    ("coordinator", "< namespace/ingress-nginx", "TCP", 8080, True),
    ("coordinator", "< namespace/default", "TCP", 8080, True),
    ("coordinator", "< namespace/default", "TCP", 9464, False),
    ("worker", "< namespace/monitoring", "TCP", 9464, True),
    ("worker", "< namespace/default", "TCP", 9464, False),
    ("migrate", "< namespace/default", "TCP", 8080, False),
    *((role, "> namespace/kube-system", "UDP", 53, True) for role in ("coordinator", "worker", "migrate")),
    *((role, "> 10.1.2.3", "TCP", 5432, True) for role in ("coordinator", "worker", "migrate")),
    *((role, "> 10.1.2.3", "TCP", 22, False) for role in ("coordinator", "worker", "migrate")),
    *((role, "> 203.0.113.7", "TCP", 443, True) for role in ("coordinator", "worker")),
    *((role, "> 2001:db8::7", "TCP", 443, True) for role in ("coordinator", "worker")),
    *((role, "> 169.254.169.254", "TCP", 443, False) for role in ("coordinator", "worker")),
    *((role, "> 203.0.113.7", "TCP", 80, False) for role in ("coordinator", "worker")),
    ("migrate", "> 203.0.113.7", "TCP", 443, False),
]


def validate(item):
    """Compares an object with its schema. The CRDs have none in kubernetes-validate, but models that cloudcoil makes from them.
    Those ignore what they don't know, which is missing afterwards."""
    import kubernetes_validate
    import cloudcoil.pydantic
    # Of hundreds of models four are used. These two lines save 2 s, because the others are not built.
    cloudcoil.pydantic.BaseModel.model_config["defer_build"] = True
    sys.modules["cloudcoil.models.prometheus_operator.v1alpha1"] = types.ModuleType("unused")
    from cloudcoil.models.keda import v1alpha1 as keda
    from cloudcoil.models.prometheus_operator import v1 as monitoring
    model = {"keda.sh/v1alpha1": keda, "monitoring.coreos.com/v1": monitoring}.get(item["apiVersion"])
    if model is None:
        for version in VERSIONS:
            kubernetes_validate.validate(item, version, strict=True)
        return
    known = getattr(model, item["kind"]).model_validate(item).model_dump(mode="json", by_alias=True, exclude_unset=True)
    if known != item:
        raise ValueError("has a field that its CRD does not have, or a value of another type")


def boxes(spec):
    return spec.get("initContainers", []) + spec["containers"]


def name_of(item):
    return f"{item['kind']} {item['metadata']['name']}"


# Each breaks the objects in one way: the object, the path to a value in it, the new value (None deletes it), and a part of the
# message.
BREAKS = [
    ("Service waypost", "metadata namespace", "default", "namespace is not waypost"),
    ("Deployment waypost-worker", "spec template spec enableServiceLinks", None, "service links"),
    ("Deployment waypost-worker", "spec template spec automountServiceAccountToken", True, "token for the Kubernetes API"),
    ("Deployment waypost-worker", "spec template spec volumes 0 secret secretName", "other", "nobody creates the Secret"),
    ("Deployment waypost-worker", "spec template spec volumes 0 hostPath", {"path": "/"}, "kind of volume"),
    ("Deployment waypost-worker", "spec template spec volumes 0 name", "other", "mounts a volume"),
    ("Deployment waypost-worker", "spec template spec containers 0 volumeMounts 0 mountPath", "/secrets", "in no volume"),
    ("Deployment waypost-worker", "spec template spec containers 0 resources requests cpu", None, "no requests"),
    ("Deployment waypost-worker", "spec template spec containers 0 resources limits", {"cpu": 1}, "limit of cpu"),
    ("Deployment waypost-worker", "spec template spec containers 0 resources limits memory", None, "no limit of memory"),
    ("Deployment waypost-worker", "spec template spec containers 0 envFrom 0 configMapRef name", "x", "no ConfigMap x"),
    ("Deployment waypost-worker", "spec template spec containers 0 image", "other", "different images"),
    ("Job waypost-migrate", "spec template spec containers 0 image", "other", "different images"),
    ("Job waypost-migrate", "spec template spec containers 0 command", ["sh"], "no program except waypost"),
    ("Deployment waypost-coordinator", "spec template spec containers 0 lifecycle preStop exec", {"command": ["x"]}, "no program except"),
    ("Deployment waypost-worker", "spec template spec containers 0 livenessProbe httpGet port", "api", "reads no port"),
    ("Deployment waypost-worker", "spec template spec containers 0 livenessProbe httpGet path", "/readyz", "does not read /livez"),
    ("Deployment waypost-worker", "spec template spec containers 0 ports 0 containerPort", 9465, "reads no port"),
    ("Deployment waypost-coordinator", "spec template spec containers 0 readinessProbe httpGet scheme", "HTTP", "does not speak HTTPS"),
    ("Deployment waypost-coordinator", "spec template spec terminationGracePeriodSeconds", 29, "of grace are too short"),
    ("Deployment waypost-worker", "spec template spec initContainers", [], "does not wait for the migration"),
    ("Deployment waypost-worker", "spec template spec topologySpreadConstraints 0 labelSelector matchLabels x", "y", "spreads other pods"),
    ("Deployment waypost-worker", "spec template spec hostNetwork", True, "hostNetwork"),
    ("Deployment waypost-worker", "spec template spec securityContext runAsNonRoot", None, "may run as root"),
    ("Deployment waypost-worker", "spec template spec securityContext runAsUser", 0, "may run as root"),
    ("Deployment waypost-worker", "spec template spec securityContext seccompProfile", None, "no seccomp profile"),
    ("Job waypost-migrate", "spec template spec containers 0 securityContext allowPrivilegeEscalation", None, "may gain privileges"),
    ("Job waypost-migrate", "spec template spec containers 0 securityContext readOnlyRootFilesystem", False, "not read-only"),
    ("Job waypost-migrate", "spec template spec containers 0 securityContext capabilities add", ["NET_RAW"], "has capabilities"),
    ("Job waypost-migrate", "spec template spec containers 0 securityContext privileged", True, "is privileged"),
    ("Job waypost-migrate", "spec template spec containers 0 ports", [{"name": "x", "containerPort": 1, "hostPort": 1}], "port of the host"),
    ("Deployment waypost-worker", "spec selector matchLabels x", "y", "does not select its pods"),
    ("Service waypost", "spec selector x", "y", "Service waypost: selects 0 kinds"),
    ("Service waypost", "spec ports 0 targetPort", "metrics", "no container has the port metrics"),
    ("PodDisruptionBudget waypost-worker", "spec selector matchLabels x", "y", "selects 0 kinds"),
    ("PodMonitor waypost-worker", "spec podMetricsEndpoints 0 port", "api", "no container has the port api"),
    ("ServiceMonitor waypost-coordinator", "spec selector matchLabels x", "y", "selects 0 services"),
    ("ServiceMonitor waypost-coordinator", "spec endpoints 0 port", "metrics", "no service has the port"),
    ("ServiceMonitor waypost-coordinator", "spec endpoints 0 authorization credentials key", "x", "nobody creates its Secret"),
    ("Ingress waypost", "spec rules 0 http paths 0 backend service name", "x", "no service x"),
    ("NetworkPolicy waypost-worker", "spec podSelector matchLabels x", "y", "selects no pod"),
    ("NetworkPolicy waypost-default-deny", "spec policyTypes", ["Egress"], "migrate < namespace/default TCP 8080 is open"),
    ("NetworkPolicy waypost-database", "spec egress 1", None, "coordinator > 10.1.2.3 TCP 5432 is closed"),
    ("NetworkPolicy waypost-internet", "spec egress 0 to 0 ipBlock except", [], "169.254.169.254 TCP 443 is open"),
    ("NetworkPolicy waypost-worker", "spec ingress 0 from", [], "worker < namespace/default TCP 9464 is open"),
    ("ScaledObject waypost-worker", "spec scaleTargetRef name", "x", "its target does not exist"),
    ("ScaledObject waypost-worker", "spec triggers 0 metadata query", "x", "does not use waypost_workers_wanted"),
    ("PrometheusRule waypost-workers", "spec groups 0 rules", [], "no rule records"),
    ("Deployment waypost-worker", "spec replicas", 2, "undo its number of replicas"),
]


def self_test(documents):
    missed = 0
    for name, path, value, message in BREAKS:
        objects = Objects(copy.deepcopy(documents))
        [place] = [item for item in objects.all if name_of(item) == name]
        *steps, last = [int(step) if step.isdigit() else step for step in path.split(" ")]
        for step in steps:
            place = place[step]
        if value is None:
            del place[last]
        else:
            place[last] = value
        errors = objects.check()
        if not any(message in error for error in errors):
            missed += 1
            print(f"{name}, {path} = {value}: not noticed; {errors}")
    print(f"{len(BREAKS)} broken objects, {missed} not noticed")
    return missed


def main():
    command, *files = sys.argv[1:]
    failed, seen = False, []
    for file in files:
        with open(file) as stream:
            documents = [document for document in yaml.load_all(stream, yaml.CSafeLoader) if document]
        errors = []
        if command == "validate":
            for item in documents:
                if item in seen:
                    continue
                seen.append(item)
                try:
                    validate(item)
                except Exception as error:  # of three libraries
                    errors.append(f"{name_of(item)}: {error}")
        elif command == "check":
            errors = Objects(documents).check()
        elif command == "self-test":
            failed |= self_test(documents) > 0
        elif command == "rules":
            groups = [group for item in documents if item["kind"] == "PrometheusRule" for group in item["spec"]["groups"]]
            yaml.safe_dump({"groups": groups}, sys.stdout)
        for error in errors:
            print(f"{file}: {error}")
            failed = True
    sys.exit(failed)


if __name__ == "__main__":
    main()
