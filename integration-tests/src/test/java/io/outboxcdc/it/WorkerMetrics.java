package io.outboxcdc.it;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.outboxcdc.stack.StackProcess;

import java.io.IOException;
import java.util.Optional;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** The worker's metrics as an operator sees them: over JMX, in the worker's own JVM. */
final class WorkerMetrics implements AutoCloseable {

    private final JMXConnector connector;
    private final MBeanServerConnection beans;

    private WorkerMetrics(JMXConnector connector, MBeanServerConnection beans) {
        this.connector = connector;
        this.beans = beans;
    }

    @SuppressWarnings("BanJNDI") // The address comes from the worker's JVM itself and names no directory service.
    static WorkerMetrics of(StackProcess worker) throws IOException, AttachNotSupportedException {
        VirtualMachine machine = VirtualMachine.attach(Long.toString(worker.pid()));
        try {
            JMXConnector connector =
                    JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
            return new WorkerMetrics(connector, connector.getMBeanServerConnection());
        } finally {
            machine.detach();
        }
    }

    /** An attribute of the transform's MBean; empty when there is no such bean. {@code tags} begins with a comma. */
    Optional<Object> ofTransform(String connectorName, String tags, String attribute) throws JMException, IOException {
        ObjectName bean = new ObjectName(
                "kafka.connect:type=plugins,connector=" + connectorName + ",task=0,transformation=outbox" + tags);
        try {
            return Optional.of(beans.getAttribute(bean, attribute));
        } catch (InstanceNotFoundException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}
