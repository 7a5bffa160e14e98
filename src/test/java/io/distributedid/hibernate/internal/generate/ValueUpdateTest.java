package io.distributedid.hibernate.internal.generate;

import io.distributedid.testkit.ValueUpdateContract;

class ValueUpdateTest extends ValueUpdateContract {}
